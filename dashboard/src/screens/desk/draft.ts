import { emptyAddress, fromDraft, toDraft, type AddressDraft } from "../../kit/address.ts";
import { randomKey } from "../../random-key.ts";

export interface ParcelDraft {
  id: string;
  weight: number;
  weight_unit: "lbs" | "kg" | "g" | "oz";
  length: number;
  width: number;
  height: number;
  size_unit: "cm" | "in";
  package_contents: string;
  declared_value: number;
  package_type: "parcel" | "envelope" | "pak" | "tube";
}

export interface ItemDraft {
  id: string;
  title: string;
  quantity: number;
  value: number;
  country_of_origin: string;
  hs_code: string;
  sku: string | null;
}

/** What is typed on the desk. Numbers that are not typed yet are `NaN`. */
export interface Draft {
  to: AddressDraft;
  /** Null: the account's default sender. */
  from: AddressDraft | null;
  parcels: ParcelDraft[];
  items: ItemDraft[];
  /** Null here and below: as the account prefers it (`preferred.ts`). */
  contents_type:
    "merchandise" | "documents" | "gift" | "sample" | "returned_goods" | "other" | null;
  incoterm: "DDP" | "DDU" | null;
  reference: string;
  add_ons: string[] | null;
  label_size: "4x6" | "letter" | null;
  order: { id: string; number: string } | null;
}

/** A parcel that nothing is known of. */
export function newParcel(): ParcelDraft {
  return {
    id: randomKey(),
    weight: NaN,
    weight_unit: "kg",
    length: NaN,
    width: NaN,
    height: NaN,
    size_unit: "cm",
    package_contents: "",
    declared_value: NaN,
    package_type: "parcel",
  };
}

/** A line for customs that nothing is known of. */
export function newItem(): ItemDraft {
  return {
    id: randomKey(),
    title: "",
    quantity: 1,
    value: NaN,
    country_of_origin: "CA",
    hs_code: "",
    sku: null,
  };
}

/** The desk before anything is typed. */
export function newDraft(): Draft {
  return {
    to: emptyAddress,
    from: null,
    parcels: [newParcel()],
    items: [newItem()],
    contents_type: null,
    incoterm: null,
    reference: "",
    add_ons: null,
    label_size: null,
    order: null,
  };
}

/** Whether carriers can be asked: a place to go to, and a weight for each parcel. */
export function isQuotable({ to, parcels }: Draft): boolean {
  const hasPlace =
    to.address1.trim() !== "" &&
    to.city.trim() !== "" &&
    (to.postal_code.trim() !== "" || !["CA", "US"].includes(to.country_code));
  return hasPlace && parcels.every(({ weight }) => weight > 0);
}

/** Whether goods cross a border, so that customs have to know them. */
export function crossesBorder({ to, from }: Draft, home: string): boolean {
  return to.country_code !== (from?.country_code ?? home);
}

/** The draft as `POST /rates` and `POST /labels` take it. */
export function toShipment(draft: Draft, { home, currency }: { home: string; currency: string }) {
  const isAbroad = crossesBorder(draft, home);
  const items = draft.items.filter(({ title }) => title.trim() !== "");
  return {
    to_address: fromDraft(draft.to),
    ...(draft.from ? { from_address: fromDraft(draft.from) } : {}),
    packages: draft.parcels.map((parcel) => toPackage(parcel, currency)),
    ...(isAbroad
      ? {
          items: items.map((item) => toItem(item, currency)),
          contents_type: draft.contents_type,
          incoterm: draft.incoterm,
        }
      : {}),
    ...(draft.add_ons === null ? {} : { add_ons: draft.add_ons }),
    ...(draft.reference.trim() ? { reference: draft.reference.trim() } : {}),
    ...(draft.order ? { order_id: draft.order.id } : {}),
    label_size: draft.label_size,
  };
}

function toPackage(
  {
    id: _id,
    length,
    width,
    height,
    size_unit,
    package_contents,
    declared_value,
    ...parcel
  }: ParcelDraft,
  currency: string,
) {
  const isSized = length > 0 && width > 0 && height > 0;
  return {
    ...parcel,
    ...(isSized ? { length, width, height, size_unit } : {}),
    ...(package_contents.trim() ? { package_contents } : {}),
    ...(declared_value > 0 ? { declared_value, currency } : {}),
  };
}

function toItem({ id: _id, value, hs_code, sku, ...item }: ItemDraft, currency: string) {
  return {
    ...item,
    value: value >= 0 ? value : 0,
    currency,
    ...(hs_code.trim() ? { hs_code } : {}),
    ...(sku ? { sku } : {}),
  };
}

interface OrderLike {
  id: string;
  order_number: string;
  to_address: Parameters<typeof toDraft>[0];
  items: {
    title: string;
    quantity: number;
    fulfilled_quantity: number;
    value: number;
    country_of_origin: string | null;
    hs_code: string | null;
    sku: string | null;
  }[];
  packages: Partial<Record<keyof ParcelDraft, unknown>>[];
}

/** A draft for what of an order is still to be shipped. */
export function draftOfOrder(order: OrderLike): Draft {
  const left = order.items.filter(
    ({ quantity, fulfilled_quantity }) => quantity > fulfilled_quantity,
  );
  const items = left.map((item) => ({
    id: randomKey(),
    title: item.title,
    quantity: item.quantity - item.fulfilled_quantity,
    value: item.value,
    country_of_origin: item.country_of_origin ?? "",
    hs_code: item.hs_code ?? "",
    sku: item.sku,
  }));
  const parcels = order.packages.map((known) => {
    const given = Object.entries(known).filter(
      ([name, value]) => name in newParcel() && value !== null,
    );
    return {
      ...newParcel(),
      ...(Object.fromEntries(given) as Partial<ParcelDraft>),
      id: randomKey(),
    };
  });
  return {
    ...newDraft(),
    to: toDraft(order.to_address),
    items: items.length > 0 ? items : [newItem()],
    parcels:
      parcels.length > 0
        ? parcels
        : [
            {
              ...newParcel(),
              package_contents: items
                .map(({ title }) => title)
                .join(", ")
                .slice(0, 60),
            },
          ],
    reference: order.order_number,
    order: { id: order.id, number: order.order_number },
  };
}

const place = (environment: string) => `waybill.desk.${environment}`;

/** What was typed here before the page was loaded again. */
export function restoreDraft(environment: string): Draft | null {
  const text = sessionStorage.getItem(place(environment));
  if (!text) return null;
  const draft = JSON.parse(text) as Draft;
  // JSON writes NaN as null.
  const parcels = draft.parcels.map((parcel) => {
    const { weight, length, width, height, declared_value } = parcel;
    const numbers = { weight, length, width, height, declared_value };
    const read = Object.entries(numbers).map(([name, value]) => [
      name,
      (value as number | null) ?? NaN,
    ]);
    return { ...parcel, ...(Object.fromEntries(read) as typeof numbers) };
  });
  const items = draft.items.map((item) => ({
    ...item,
    value: (item.value as number | null) ?? NaN,
  }));
  return { ...draft, parcels, items };
}

/** Keeps what is typed until the label is bought. */
export function keepDraft(environment: string, draft: Draft | null): void {
  if (draft) sessionStorage.setItem(place(environment), JSON.stringify(draft));
  else sessionStorage.removeItem(place(environment));
}
