import { useEnvironment } from "../../environment.ts";
import { Button } from "../../kit/button.tsx";
import { Copy } from "../../kit/copy.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { useWords } from "../../words/locale.tsx";
import { tokenWords } from "./words.ts";

/** A new token's text, this once. */
export function Reveal({ text, onClose }: { text: string; onClose: () => void }) {
  const words = useWords(tokenWords);
  const base = `${window.location.origin}${useEnvironment() === "live" ? "" : "/sandbox"}/api/v5`;
  return (
    <Dialog title={words.createdTitle} isOpen isHeldOpen onOpenChange={onClose}>
      <p className="text-soft">{words.createdText}</p>
      <p className="mt-3 rounded-lg bg-hover px-3 py-2.5 font-mono text-sm break-all" data-token="">
        {text}
      </p>
      <p className="mt-4 text-sm font-medium">{words.curl}</p>
      <code className="mt-1 block rounded-lg bg-hover px-3 py-2.5 font-mono text-xs break-all">{`curl ${base}/token -H "Authorization: Bearer ${text}"`}</code>
      <DialogActions>
        <Copy text={text} label={words.copyToken} />
        <Button variant="primary" size="sm" onPress={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
