import { useState } from "react";
import { Button } from "./button.tsx";
import { kitWords } from "./words.ts";
import { useWords } from "../words/locale.tsx";

/** Puts a text onto the clipboard. Without a name of its own it is an icon. */
export function Copy({ text, label }: { text: string; label?: string }) {
  const words = useWords(kitWords);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Button
      variant={label ? "plain" : "quiet"}
      size={label ? "sm" : "icon"}
      icon={isCopied ? "check" : "copy"}
      aria-label={label ? undefined : words.copy}
      onPress={() => void copy()}
    >
      {label && (isCopied ? words.copied : label)}
    </Button>
  );
}
