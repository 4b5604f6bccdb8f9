import type { Classification } from "../../domain/products/product.ts";
import { OutsideError, type OutsideFailure } from "../../domain/errors/outside-error.ts";

/**
 * What Waybill asks of who finds the customs code of goods (spec 4.7). A classification is a question: it moves
 * nothing at the party, so it may be asked again, and nobody looks up what became of it.
 */
export interface Classifier {
  readonly party: ClassifierName;
  /**
   * The most probable code, or none when the texts say nothing. Throws `ClassifierError` when the party fails or
   * does not answer in its time.
   */
  classify(goods: GoodsToClassify): Promise<Classification>;
}

/** `built_in` is our own search of the nomenclature; the other one is asked over HTTP. */
export type ClassifierName = "built_in" | "zonos";

export interface GoodsToClassify {
  title: string;
  /** Of any length; empty when there is none. */
  description: string;
  sku: string | null;
  /** ISO 3166-1 alpha-2. */
  country_of_origin: string | null;
  /** With it a party may answer with the country's own digits, up to ten in all. */
  destination_country: string | null;
}

/** Why a classifier gave no answer. */
export class ClassifierError extends OutsideError {
  /** Whether the same question may be answered later. */
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
