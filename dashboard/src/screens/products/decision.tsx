import type { Product } from "@waybill/sdk";
import { useMemo, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Failure } from "../../kit/failure.tsx";
import { useKeys, type Bindings } from "../../kit/keys.ts";
import { Notice } from "../../kit/notice.tsx";
import { problemOf } from "../../kit/problem.ts";
import { RadioGroup } from "../../kit/radio-group.tsx";
import type { Choice } from "../../kit/select.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { Facts } from "./facts.tsx";
import { VerifyManufacturer } from "./verify-manufacturer.tsx";
import { Reject } from "./reject.tsx";
import { canApprove, canReject, codeText } from "./states.ts";
import { productWords } from "./words.ts";

interface Props {
  product: Product;
  /** Why the last decision on it was refused. */
  refusal: unknown;
  /** With the code that was chosen; null where there is none. */
  onApprove: (code: string | null) => void;
  /** The product was changed otherwise, and has to be read again. */
  onChanged: () => Promise<void>;
}

/** The choice of a code that is none of the suggested ones. */
const other = "other";

/** One product with what is known for its customs code, and the decision. */
export function Decision({ product, refusal, onApprove, onChanged }: Props) {
  const words = useWords(productWords);
  const may = useMay();
  const codes = useCodes(product);
  const [chosen, setChosen] = useState(codes[0]?.id ?? other);
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState<"reject" | "manufacturer" | null>(null);
  const mayDecide = may(["products:approve"]);
  const code = chosen === other ? typed.replaceAll(/[\s.]/g, "") : chosen;
  const isApprovable = mayDecide && canApprove(product);
  const isRejectable = mayDecide && canReject(product);
  const approve = () => onApprove(code || null);
  const bindings = useMemo((): Bindings => {
    const choices = codes.slice(0, 9).map(({ id }, index) => [`${index + 1}`, () => setChosen(id)]);
    return {
      ...(isApprovable ? { a: approve, ...Object.fromEntries(choices) } : {}),
      ...(isRejectable ? { r: () => setOpen("reject") } : {}),
    } as Bindings;
  }, [isApprovable, isRejectable, code, codes]);
  useKeys(bindings);
  const close = () => setOpen(null);
  return (
    <section aria-label={product.title} className="flex min-w-0 flex-col gap-4 p-5">
      <header>
        <h2 className="text-lg font-semibold">{product.title}</h2>
        <p className="font-mono text-xs text-faint">{product.sku}</p>
      </header>
      {product.status_reason && (
        <Notice tone="warn" title={words.reason}>
          <span lang="en">{product.status_reason}</span>
        </Notice>
      )}
      <Facts product={product} />
      {isApprovable ? (
        <>
          {codes.length > 0 && (
            <RadioGroup
              label={words.code}
              choices={[...codes, { id: other, label: words.otherCode }]}
              value={chosen}
              onChange={setChosen}
            />
          )}
          {chosen === other && (
            <TextField
              label={codes.length > 0 ? words.otherCode : words.code}
              isLabelHidden={codes.length > 0}
              description={words.codeHint}
              value={typed}
              onChange={setTyped}
              className="max-w-60"
            />
          )}
        </>
      ) : (
        <p>
          <span className="block text-sm text-faint">{words.code}</span>
          <span className="tabular font-medium">{codes[0]?.label ?? words.noCode}</span>
        </p>
      )}
      {refusal !== null && <Failure isInline error={refusal} />}
      <footer className="flex flex-wrap items-center gap-2">
        {isApprovable && (
          <Button variant="primary" icon="check" onPress={approve}>
            {words.approve}
          </Button>
        )}
        {isRejectable && (
          <Button icon="ban" onPress={() => setOpen("reject")}>
            {words.reject}
          </Button>
        )}
        {may(["products:classify"]) && (
          <>
            <Button variant="quiet" icon="flag" onPress={() => setOpen("manufacturer")}>
              {words.verify}
            </Button>
            <Classify sku={product.sku} onChanged={onChanged} />
          </>
        )}
      </footer>
      {isApprovable && <p className="text-sm text-faint max-md:hidden">{words.hint}</p>}
      {open === "reject" && <Reject sku={product.sku} onClose={close} onChanged={onChanged} />}
      {open === "manufacturer" && (
        <VerifyManufacturer product={product} onClose={close} onChanged={onChanged} />
      )}
    </section>
  );
}

function Classify({ sku, onChanged }: { sku: string; onChanged: () => Promise<void> }) {
  const words = useWords(productWords);
  const waybill = useWaybill();
  const [isPending, setPending] = useState(false);
  const classify = async () => {
    setPending(true);
    try {
      const { data } = await waybill.products.classify({ sku });
      toast(data.hs_code === null ? words.nothingFound : words.classified);
      await onChanged();
    } catch (error) {
      toast(problemOf(error).message, "danger");
    } finally {
      setPending(false);
    }
  };
  return (
    <Button variant="quiet" icon="refresh" isPending={isPending} onPress={() => void classify()}>
      {words.classify}
    </Button>
  );
}

/** The codes to choose from: the product's own, and what a classification found beside it. */
function useCodes({ hs_code, hs_confidence, classification }: Product): Choice[] {
  const words = useWords(productWords);
  const { locale } = useLocale();
  return useMemo(() => {
    const percent = new Intl.NumberFormat(regionOf(locale), { style: "percent" });
    const found = classification?.hs_code ? [classification] : [];
    const own =
      hs_code !== null && hs_code !== classification?.hs_code
        ? [{ hs_code, description: words.ownCode, confidence: hs_confidence }]
        : [];
    const entries = [...own, ...found, ...(classification?.alternatives ?? [])];
    return entries.flatMap(({ hs_code: id, description, confidence }, index) => {
      if (id === null || entries.findIndex((each) => each.hs_code === id) !== index) return [];
      const sure = confidence === null ? "" : words.confidence(percent.format(confidence));
      const facts = [description, sure].filter(Boolean).join(" · ");
      return [{ id, label: codeText(id), description: facts }];
    });
  }, [hs_code, hs_confidence, classification, words, locale]);
}
