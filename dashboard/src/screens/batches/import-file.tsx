import { useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { Button } from "../../kit/button.tsx";
import { buttonStyle } from "../../kit/button-style.ts";
import { Icon } from "../../kit/icon.tsx";
import { Spinner } from "../../kit/spinner.tsx";
import { download, toCsv } from "../../import/read-file.ts";
import { useWords } from "../../words/locale.tsx";
import { batchWords } from "./words.ts";

const sample = [
  ["Name", "Address 1", "City", "Province", "Postal code", "Country", "Weight (kg)", "Reference"],
  ["Amélie Tremblay", "275 Rue Notre-Dame Est", "Montréal", "QC", "H2Y 1C6", "CA", "1.2", "1001"],
  ["Liam Chen", "88 Queens Quay West", "Toronto", "ON", "M5J 0B8", "CA", "0.5", "1002"],
];

/** The place to drop a file, or to choose one. */
export function ImportFile({ onFile }: { onFile: (file: File) => Promise<void> }) {
  const words = useWords(batchWords);
  const [isOver, setOver] = useState(false);
  const [isReading, setReading] = useState(false);
  const take = async (file: File | undefined | null) => {
    if (!file) return;
    setReading(true);
    await onFile(file).finally(() => setReading(false));
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer.files[0]);
      }}
      className={`flex flex-col items-center gap-2 rounded-xl border-2 border-dashed px-6 py-16 text-center transition-colors ${isOver ? "border-accent bg-accent-wash" : "border-line bg-surface"}`}
    >
      <span className="mb-1 flex size-11 items-center justify-center rounded-full bg-hover text-soft">
        <Icon name="upload" className="size-5" />
      </span>
      <p className="text-lg font-semibold">{words.drop}</p>
      <p className="max-w-md text-soft">{words.dropText}</p>
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <FileTrigger
          acceptedFileTypes={[".csv", ".txt", ".tsv", "text/csv"]}
          onSelect={(files) => void take(files?.[0])}
        >
          <AriaButton className={buttonStyle({ variant: "primary" })}>
            {isReading && <Spinner />}
            {words.choose}
          </AriaButton>
        </FileTrigger>
        <Button icon="download" onPress={() => download(toCsv(sample), "shipments.csv")}>
          {words.sample}
        </Button>
      </div>
    </div>
  );
}
