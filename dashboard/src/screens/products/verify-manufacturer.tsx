import type { Product } from "@waybill/sdk";
import { useMemo, useState } from "react";
import { useEnvironment } from "../../environment.ts";
import { useFormKey } from "../../form-key.ts";
import { Button } from "../../kit/button.tsx";
import { ComboBox } from "../../kit/combo-box.tsx";
import { countryChoices } from "../../kit/countries.ts";
import { Dialog, DialogActions } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { TextField } from "../../kit/text-field.tsx";
import { toast } from "../../shell/toasts.tsx";
import { useWaybill } from "../../waybill.ts";
import { regionOf, useLocale, useWords } from "../../words/locale.tsx";
import { productWords } from "./words.ts";

interface Props {
  product: Product;
  onClose: () => void;
  onChanged: () => Promise<void>;
}

/** Verifies who made a product and where; what is corrected here is kept with the product. */
export function VerifyManufacturer({ product, onClose, onChanged }: Props) {
  const words = useWords(productWords);
  const waybill = useWaybill();
  const { locale } = useLocale();
  const key = useFormKey(`product.verify.${useEnvironment()}.${product.sku}`);
  const countries = useMemo(() => countryChoices(regionOf(locale)), [locale]);
  const [manufacturer, setManufacturer] = useState(product.manufacturer ?? "");
  const [country, setCountry] = useState(product.country_of_origin);
  const submit = async () => {
    const body = {
      sku: product.sku,
      ...(manufacturer.trim() ? { manufacturer } : {}),
      ...(country ? { country_of_origin: country } : {}),
    };
    const { data } = await key.send((idempotencyKey) =>
      waybill.products.verifyManufacturer(body, { idempotencyKey }),
    );
    toast(words.verdicts[data.status], data.status === "failed" ? "danger" : "good");
    onClose();
    await onChanged();
  };
  return (
    <Dialog title={words.verifyTitle} isOpen onOpenChange={onClose} size="sm">
      <Form onSubmit={submit}>
        {({ isPending }) => (
          <>
            <TextField
              label={words.manufacturer}
              name="manufacturer"
              value={manufacturer}
              onChange={setManufacturer}
              autoFocus
            />
            <ComboBox
              label={words.origin}
              name="country_of_origin"
              formValue="key"
              choices={countries}
              value={country}
              onChange={setCountry}
            />
            <DialogActions>
              <Button type="submit" variant="primary" isPending={isPending}>
                {words.verify}
              </Button>
            </DialogActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
