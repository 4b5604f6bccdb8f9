import { Type, type Static } from "typebox";
import { AddOnCode } from "../../domain/pricing/rate.ts";
import { LabelFormat } from "../../domain/shipments/shipment-enums.ts";
import { ShipmentType } from "../../domain/shipments/shipment-status.ts";
import { Logged, Nullable, OneOf } from "../../domain/values/schema.ts";

/** The response schemas of the catalogue of carriers. */

const ServiceLimits = Type.Object(
  {
    max_packages: Nullable(Type.Integer({ description: "Of parcels." })),
    max_units: Nullable(Type.Integer({ description: "Of freight." })),
    max_weight_grams: Nullable(Type.Integer({ description: "Of one package or unit." })),
    max_length_cm: Type.Number(),
    max_length_plus_girth_cm: Nullable(Type.Number()),
    delivers_to_po_box: Nullable(Type.Boolean()),
    requires_dimensions: Nullable(Type.Boolean()),
  },
  { $id: "ServiceLimits", description: "Known without asking; null where there is no such limit." },
);

const CatalogueService = Type.Object(
  {
    service: Logged(Type.String({ examples: ["canada_post.expedited_parcel"] })),
    postage_type_id: Type.Integer(),
    name: Type.String(),
    domestic: Type.Boolean(),
    international: Type.Boolean(),
    trackable: Type.Boolean(),
    add_ons: Type.Array(AddOnCode),
    enabled: Type.Boolean({ description: "Whether the account is offered it." }),
    limits: ServiceLimits,
  },
  { $id: "CatalogueService" },
);

const ConnectionField = Type.Object(
  {
    name: Type.String({ examples: ["account_number"] }),
    group: OneOf(["values", "secrets"], {
      $id: "ConnectionFieldGroup",
      description: "In which part of a connection's body it is.",
    }),
    is_write_only: Type.Boolean({ description: "Only written: no answer shows it." }),
    is_required: Type.Boolean(),
    description: Nullable(Type.String()),
    options: Nullable(Type.Array(Type.String(), { description: "The values that it may have." })),
    pattern: Nullable(Type.String({ description: "A regular expression that it has to match." })),
  },
  { $id: "ConnectionField" },
);

export const CatalogueCarrier = Type.Object(
  {
    code: Logged(Type.String()),
    name: Type.String(),
    kind: ShipmentType,
    evidence: OneOf(["simulated", "documents", "recorded"], {
      $id: "CarrierEvidence",
      description:
        "What our side was tested against: a simulator, the carrier's documents, recordings of its sandbox.",
    }),
    manifest: OneOf(["required", "optional", "none"], {
      $id: "CarrierManifestNeed",
      description:
        "Whether labels have to be handed over by `POST /manifests`, as the account's are bought now.",
    }),
    connection_fields: Type.Array(ConnectionField, {
      description: "What a connection with the carrier consists of; empty where there is none.",
    }),
    label_formats: Type.Array(LabelFormat),
    health: OneOf(["up", "degraded", "down"], {
      $id: "CarrierHealth",
      description:
        "`down`: its calls for this account are paused; `degraded`: those of some other account.",
    }),
    pickup: Nullable(
      Type.Object(
        {
          cutoff: Type.String({ description: "For a pickup today, `HH:MM` at the address." }),
          days: Type.Integer({ description: "Today and so many days more." }),
        },
        { $id: "CarrierPickup" },
      ),
    ),
    services: Type.Array(CatalogueService),
  },
  { $id: "CatalogueCarrier" },
);
export type CatalogueCarrier = Static<typeof CatalogueCarrier>;

export const Carriers = Type.Object(
  { data: Type.Array(CatalogueCarrier) },
  { $id: "CatalogueCarrierData" },
);
