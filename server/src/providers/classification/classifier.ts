import type { Classification } from "../../domain/products/product.ts";
import { OutsideError, type OutsideFailure } from "../../domain/errors/outside-error.ts";

/**
 * What Waybill requires of a party that finds the customs code of goods (spec 4.7). A classification is a
 * query without effects, so it may be repeated, and its outcome is never looked up.
 */
export interface Classifier {
  readonly party: ClassifierName;
  /**
   * The most probable code, or none when the texts say too little. Throws `ClassifierError` when the party
   * fails or times out.
   */
  classify(goods: GoodsToClassify): Promise<Classification>;
}

/** `built_in` is Waybill's own search of the nomenclature; the other one is called over HTTP. */
type ClassifierName = "built_in" | "zonos";

export interface GoodsToClassify {
  title: string;
  /** Of any length; empty when there is none. */
  description: string;
  sku: string | null;
  /** ISO 3166-1 alpha-2. */
  country_of_origin: string | null;
  /** With it a party may return the country's own digits, up to ten in all. */
  destination_country: string | null;
}

/** Why a classifier returned no result. */
export class ClassifierError extends OutsideError {
  /** Whether the same question may succeed later. */
  readonly is_retryable: boolean;

  constructor(
    failure: {
      party: ClassifierName;
      kind: OutsideFailure;
      code: string;
      message: string;
      is_retryable: boolean;
    },
    cause?: unknown,
  ) {
    super({ ...failure, party_code: failure.code }, cause);
    this.name = "ClassifierError";
    this.is_retryable = failure.is_retryable;
  }
}
