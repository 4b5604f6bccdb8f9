import { useQuery } from "@tanstack/react-query";
import type { PackagePreset } from "@waybill/sdk";
import { useEffect, useRef } from "react";
import { useEnvironment } from "../../environment.ts";
import type { ParcelDraft } from "./draft.ts";
import { presetsQuery } from "./queries.ts";

/** What a preset says of a parcel. */
export function parcelOf(preset: PackagePreset): Partial<ParcelDraft> {
  const { weight, weight_unit, length, width, height, size_unit, package_type } = preset;
  return {
    package_type,
    length: length ?? NaN,
    width: width ?? NaN,
    height: height ?? NaN,
    ...(size_unit ? { size_unit } : {}),
    ...(weight ? { weight } : {}),
    ...(weight_unit ? { weight_unit } : {}),
  };
}

/** Gives each new parcel the size that the account prefers, once: what is cleared afterwards stays empty. */
export function useUsualParcel(
  parcels: ParcelDraft[],
  usualId: string | null | undefined,
  onChange: (parcels: ParcelDraft[]) => void,
): void {
  const { data } = useQuery({ ...presetsQuery(useEnvironment()), enabled: Boolean(usualId) });
  const usual = data?.find(({ id }) => id === usualId);
  const given = useRef(new Set<string>());
  useEffect(() => {
    if (!usual) return;
    const fresh = parcels.filter((parcel) => isEmpty(parcel) && !given.current.has(parcel.id));
    if (fresh.length === 0) return;
    for (const { id } of fresh) given.current.add(id);
    onChange(
      parcels.map((each) => (fresh.includes(each) ? { ...each, ...parcelOf(usual) } : each)),
    );
  }, [usual, parcels, onChange]);
}

function isEmpty({ weight, length, width, height, package_contents }: ParcelDraft): boolean {
  return package_contents === "" && [weight, length, width, height].every(Number.isNaN);
}
