import { useNavigate } from "@tanstack/react-router";
import type { Statement } from "@waybill/sdk";
import { Button } from "../../kit/button.tsx";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Money } from "../../kit/money.tsx";
import { useMay } from "../../session.ts";
import { useWords } from "../../words/locale.tsx";
import { billingWords } from "./words.ts";

const kinds = ["top_ups", "labels", "ltl", "refunds", "adjustments", "fees"] as const;

/** How a month's statement comes from its opening to its closing balance; its entries are one press away. */
export function StatementDialog({
  statement,
  onClose,
}: {
  statement: Statement;
  onClose: () => void;
}) {
  const words = useWords(billingWords);
  const navigate = useNavigate();
  const may = useMay();
  const { number, currency, totals, opening_balance, closing_balance, status } = statement;
  const showEntries = () => {
    onClose();
    const search = { from: statement.period_start, to: statement.period_end };
    void navigate({ to: ".", search });
  };
  const line = (name: string, amount: number, style = "") => (
    <div key={name} className={`flex items-baseline justify-between gap-4 py-1.5 ${style}`}>
      <dt>{name}</dt>
      <dd className="tabular">
        <Money amount={amount} currency={currency} />
      </dd>
    </div>
  );
  return (
    <Dialog title={words.statementOf(number)} isOpen onOpenChange={onClose} size="sm">
      <dl>
        {line(words.statementColumns.opening, opening_balance, "border-b border-line text-soft")}
        {kinds.map((kind) => line(words.totals[kind], totals[kind]))}
        {line(
          status === "open" ? words.closingSoFar : words.statementColumns.closing,
          closing_balance,
          "border-t border-line font-semibold",
        )}
        {line(words.ofWhichTaxes, totals.taxes, "text-sm text-faint")}
      </dl>
      {may(["credits:read"]) && (
        <DialogActions>
          <Button icon="list" onPress={showEntries}>
            {words.showEntries(statement.transaction_count)}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}
