import { useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { copyKeys, copyText, select } from "./clipboard.ts";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

/** Puts a text onto the clipboard. Without a name of its own it is an icon. */
export function Copy({ text, label }: { text: string; label?: string }) {
  const words = useWords(kitWords);
  const [outcome, setOutcome] = useState<"copied" | "refused" | null>(null);
  const copy = async (button: Element) => {
    const isCopied = await copyText(text, button.parentElement ?? button);
    setOutcome(isCopied ? "copied" : "refused");
    if (isCopied) setTimeout(() => setOutcome(null), 1500);
  };
  const isCopied = outcome === "copied";
  return (
    <>
      <Button
        variant={label ? "plain" : "quiet"}
        size={label ? "sm" : "icon"}
        icon={isCopied ? "check" : "copy"}
        aria-label={label ? undefined : words.copy}
        onPress={({ target }) => void copy(target)}
      >
        {label && (isCopied ? words.copied : label)}
      </Button>
      {outcome === "refused" && <ByHand text={text} className={label ? "order-first" : ""} />}
    </>
  );
}

/** The text, selected, for the person to copy it by keys. */
function ByHand({ text, className }: { text: string; className: string }) {
  const words = useWords(kitWords);
  const shown = useRef<HTMLElement>(null);
  useEffect(() => {
    if (shown.current) select(shown.current);
  }, []);
  return (
    <span role="alert" className={`basis-full font-sans text-sm ${className}`}>
      {words.copyByKeys(copyKeys())}{" "}
      <code ref={shown} className="font-mono text-xs break-all whitespace-pre-wrap select-text">
        {text}
      </code>
    </span>
  );
}
