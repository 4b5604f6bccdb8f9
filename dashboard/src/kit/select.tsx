import { lazy, Suspense } from "react";
import { BoxToCome } from "./box-to-come.tsx";
import type { Props } from "./select-box.tsx";

export interface Choice {
  id: string;
  label: string;
  description?: string;
}

/** Lists of choices are a seventh of a screen's program, and nothing of them is seen before they open. */
const SelectBox = lazy(() => import("./select-box.tsx"));

/** One of a few choices. For more than about a dozen take the combo box. */
export function Select(props: Props) {
  const { choices, value, defaultValue, placeholder } = props;
  const chosen = choices.find(({ id }) => id === (value ?? defaultValue));
  return (
    <Suspense fallback={<BoxToCome {...lookOf(props)} text={chosen?.label ?? placeholder} />}>
      <SelectBox {...props} />
    </Suspense>
  );
}

function lookOf({ label, isLabelHidden, description, className }: Props) {
  return { label, isLabelHidden, description, ...(className ? { className } : {}) };
}
