import { useQueryClient } from "@tanstack/react-query";
import type { Product } from "@waybill/sdk";
import { useMemo, useRef, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Form } from "../../kit/form.tsx";
import { useKeys, type Bindings } from "../../kit/keys.ts";
import { Money } from "../../kit/money.tsx";
import { Notice } from "../../kit/notice.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { useMay } from "../../session.ts";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { productWords } from "./words.ts";

/** States in which a product waits for a person. */
export function isUndecided({ status }: Product): boolean {
  return (
    status === "Pending Approval" || status === "Manufacturer Failed" || status === "Classified"
  );
}

/** One product with what is known for its customs code, and the decision. */
export function Decision({ product }: { product: Product }) {
  const words = useWords(productWords);
  const may = useMay();
  const { sku, classification } = product;
  const codes = useCodes(product);
  const [code, setCode] = useState(codes[0]?.id ?? "");
  const [isRejecting, setRejecting] = useState(false);
  const { isPending, error, approve, classify } = useDecisions(product, code);
  const canDecide = may(["products:approve"]) && isUndecided(product);
  const bindings = useMemo((): Bindings => {
    if (!canDecide) return {};
    return { a: () => void approve(), r: () => setRejecting(true) };
  }, [canDecide, approve]);
  useKeys(bindings);
  return (
    <section aria-label={product.title} className="flex min-w-0 flex-col gap-4 p-5">
      <header>
        <h2 className="text-lg font-semibold">{product.title}</h2>
        <p className="font-mono text-xs text-faint">{sku}</p>
      </header>
      {product.status_reason && (
        <Notice tone="warn" title={words.reason}>
          <span lang="en">{product.status_reason}</span>
        </Notice>
      )}
      <Facts product={product} />
      {codes.length > 1 && canDecide ? (
        <RadioGroup label={words.alternatives} choices={codes} value={code} onChange={setCode} />
      ) : (
        <p>
          <span className="block text-sm text-faint">{words.code}</span>
          <span className="tabular font-medium">
            {product.hs_code ?? classification?.hs_code ?? words.noCode}
          </span>
        </p>
      )}
      {error !== null && <Failure isInline error={error} />}
      <footer className="flex flex-wrap items-center gap-2">
        {canDecide && (
          <>
            <Button
              variant="primary"
              icon="check"
              isPending={isPending}
              onPress={() => void approve()}
            >
              {words.approve}
            </Button>
            <Button icon="ban" onPress={() => setRejecting(true)}>
              {words.reject}
            </Button>
          </>
        )}
        {may(["products:classify"]) && (
          <Button variant="quiet" icon="refresh" onPress={() => void classify()}>
            {words.classify}
          </Button>
        )}
      </footer>
      {canDecide && <p className="text-sm text-faint max-md:hidden">{words.hint}</p>}
      {isRejecting && <Reject sku={sku} onClose={() => setRejecting(false)} />}
    </section>
  );
}

function useCodes({ hs_code, hs_confidence, classification }: Product) {
  const words = useWords(productWords);
  const { locale } = useLocale();
  const percent = new Intl.NumberFormat(regionOf(locale), { style: "percent" });
  const first = hs_code ?? classification?.hs_code ?? null;
  const entries = [
    ...(first
      ? [
          {
            hs_code: first,
            description: classification?.description ?? words.suggestion,
            confidence: hs_confidence ?? classification?.confidence ?? null,
          },
        ]
      : []),
    ...(classification?.alternatives ?? []),
  ];
  return entries
    .filter((each, index) => entries.findIndex((other) => other.hs_code === each.hs_code) === index)
    .map(({ hs_code: id, description, confidence }) => ({
      id,
      label: id,
      description: [
        description,
        confidence === null ? "" : words.confidence(percent.format(confidence)),
      ]
        .filter(Boolean)
        .join(" · "),
    }));
}

function useDecisions({ sku, hs_code }: Product, code: string) {
  const words = useWords(productWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`product.approve.${sku}`);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isSending = useRef(false);
  const run = async (call: () => Promise<unknown>, done: string) => {
    if (isSending.current) return;
    isSending.current = true;
    setPending(true);
    setError(null);
    try {
      await call();
      toast(done);
      await client.invalidateQueries({ queryKey: [environment, "products"] });
      void client.invalidateQueries({ queryKey: [environment, "counts"] });
    } catch (thrown) {
      setError(thrown);
    } finally {
      isSending.current = false;
      setPending(false);
    }
  };
  const body = code && code !== hs_code ? { hs_code: code } : {};
  return {
    isPending,
    error,
    approve: () =>
      run(
        () =>
          key.send((idempotencyKey) =>
            waybill.products.approveClassification(sku, body, { idempotencyKey }),
          ),
        words.approved(sku),
      ),
    classify: () => run(() => waybill.products.classify({ sku }), words.classified),
  };
}

function Facts({ product }: { product: Product }) {
  const words = useWords(productWords);
  const {
    description,
    customs_description,
    country_of_origin,
    manufacturer,
    value,
    currency,
    weight,
    weight_unit,
  } = product;
  const facts = [
    [words.customs, customs_description ?? description],
    [words.origin, country_of_origin],
    [words.maker, manufacturer],
    [words.weight, weight === null ? null : `${weight} ${weight_unit ?? ""}`],
  ] as const;
  return (
    <dl className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      {facts.map(([name, text]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-faint">{name}</dt>
          <dd className="break-words">{text ?? "–"}</dd>
        </div>
      ))}
      <div>
        <dt className="text-sm text-faint">{words.value}</dt>
        <dd>
          <Money amount={value} currency={currency ?? "CAD"} />
        </dd>
      </div>
    </dl>
  );
}

function Reject({ sku, onClose }: { sku: string; onClose: () => void }) {
  const words = useWords(productWords);
  const environment = useEnvironment();
  const waybill = useWaybill();
  const client = useQueryClient();
  const key = useFormKey(`product.reject.${sku}`);
  const [reason, setReason] = useState("");
  const submit = async () => {
    await key.send((idempotencyKey) =>
      waybill.products.rejectClassification(sku, { reason }, { idempotencyKey }),
    );
    toast(words.rejected(sku));
    onClose();
    await client.invalidateQueries({ queryKey: [environment] });
  };
  return (
    <Dialog title={words.rejectTitle(sku)} isOpen onOpenChange={onClose} size="sm">
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <TextField
              label={words.rejectReason}
              name="reason"
              value={reason}
              onChange={setReason}
              rows={3}
              autoFocus
            />
            <DialogActions>
              <Button onPress={onClose}>{words.keep}</Button>
              <Button type="submit" variant="danger" isPending={isPending}>
                {words.reject}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
