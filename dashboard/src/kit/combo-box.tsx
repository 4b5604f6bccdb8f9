import { lazy, Suspense } from "react";
import { BoxToCome } from "./box-to-come.tsx";
import type { Props } from "./combo-field.tsx";

const ComboField = lazy(() => import("./combo-field.tsx"));

/** One of many choices, found by typing a part of it. Loaded when the screen stands, as the select is. */
export function ComboBox(props: Props) {
  const { label, isLabelHidden, description, className, choices, value } = props;
  const chosen = [...choices].find(({ id }) => id === value);
  const look = { label, isLabelHidden, description, ...(className ? { className } : {}) };
  return (
    <Suspense fallback={<BoxToCome {...look} text={chosen?.label} />}>
      <ComboField {...props} />
    </Suspense>
  );
}
