import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Body } from "@waybill/sdk";
import { useEffect, useState } from "react";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { Notice } from "../../kit/notice.tsx";
import { Select } from "../../kit/select.tsx";
import { useWaybill } from "../../waybill.ts";
import { useWords } from "../../words/locale.tsx";
import { failedRowsQuery, importQuery } from "./queries.ts";
import { productWords } from "./words.ts";

type Format = Exclude<Extract<Body<"importProducts">, { format: string }>["format"], "json">;

/** A file of products, and what became of each of its rows. */
export function ImportProducts({ onClose }: { onClose: () => void }) {
  const words = useWords(productWords);
  const [id, setId] = useState<string | null>(null);
  return (
    <Dialog title={words.importTitle} isOpen onOpenChange={onClose}>
      {id === null ? <Fields onStarted={setId} /> : <Result id={id} onClose={onClose} />}
    </Dialog>
  );
}

function Fields({ onStarted }: { onStarted: (id: string) => void }) {
  const words = useWords(productWords);
  const waybill = useWaybill();
  const key = useFormKey("products.import");
  const [format, setFormat] = useState<Format>("shopify_products");
  const [file, setFile] = useState<File | null>(null);
  const submit = async () => {
    const body = { format, content: file === null ? null : await file.text() };
    const { data } = await key.send((idempotencyKey) =>
      waybill.imports.products(body, { idempotencyKey }),
    );
    onStarted(data.id);
  };
  return (
    <Form onSubmit={submit}>
      {({ isPending }) => (
        <>
          <p className="text-soft">{words.importText}</p>
          <Select
            label={words.format}
            choices={Object.entries(words.formats).map(([each, label]) => ({ id: each, label }))}
            value={format}
            onChange={(each) => setFormat(each as Format)}
          />
          <div className="flex flex-wrap items-center gap-3">
            <FileTrigger
              acceptedFileTypes={[".csv", "text/csv"]}
              onSelect={(files) => setFile(files?.[0] ?? null)}
            >
              <Button icon="upload">{words.chooseFile}</Button>
            </FileTrigger>
            <span className={file ? "" : "text-faint"}>{file?.name ?? words.noFile}</span>
          </div>
          <DialogActions>
            <Button
              type="submit"
              variant="primary"
              isDisabled={file === null}
              isPending={isPending}
            >
              {words.startImport}
            </Button>
          </DialogActions>
        </>
      )}
    </Form>
  );
}

function Result({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords(productWords);
  const environment = useEnvironment();
  const client = useQueryClient();
  const query = useQuery(importQuery(environment, id));
  const isDone = query.data !== undefined && query.data.status !== "processing";
  useEffect(() => {
    if (isDone) void client.invalidateQueries({ queryKey: [environment, "products"] });
  }, [isDone, client, environment]);
  return (
    <Loaded query={query} lines={2}>
      {({ processed_count, row_count, created_count, updated_count, error_count }) => (
        <>
          {isDone ? (
            <Notice tone={error_count > 0 ? "warn" : "good"}>
              {words.imported(created_count, updated_count, error_count)}
            </Notice>
          ) : (
            <p role="status">{words.importing(processed_count, row_count)}</p>
          )}
          {isDone && error_count > 0 && <FailedRows id={id} />}
          <DialogActions>
            <Button variant="primary" onPress={onClose}>
              {words.done}
            </Button>
          </DialogActions>
        </>
      )}
    </Loaded>
  );
}

function FailedRows({ id }: { id: string }) {
  const words = useWords(productWords);
  const rows = useQuery(failedRowsQuery(useEnvironment(), id));
  return (
    <>
      <h3 className="mt-4 font-medium">{words.failedRows}</h3>
      <Loaded query={rows} lines={3}>
        {(list) => (
          <ul className="mt-1 max-h-64 divide-y divide-line overflow-y-auto">
            {list.map(({ row, line, sku, error }) => (
              <li key={row} className="py-2">
                <span className="font-medium">{words.row(line ?? row)}</span>{" "}
                {sku && <code className="font-mono text-xs">{sku}</code>}
                <span lang="en" className="block text-sm text-soft">
                  {error?.message}{" "}
                  {Object.values(error?.details ?? {})
                    .flat()
                    .map(String)
                    .join(" ")}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}
