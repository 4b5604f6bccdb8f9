import { plural } from "../../words/plural.ts";
import type en from "./words.en.ts";

const count = new Intl.NumberFormat("fr-CA");
const orders = (n: number) =>
  `${count.format(n)} ${plural("fr", n, { one: "commande", other: "commandes" })}`;

const fr: typeof en = {
  title: "Commandes",
  search: "Numéro, client, UGS…",
  tabs: "État",
  all: "Toutes",
  statuses: {
    unfulfilled: "À expédier",
    partially_fulfilled: "Expédiée en partie",
    fulfilled: "Expédiée",
    on_hold: "En attente",
    cancelled: "Annulée",
  },
  sources: {
    api: "API",
    csv: "Fichier",
    shopify: "Shopify",
    woocommerce: "WooCommerce",
    manual: "Saisie",
  },
  columns: {
    order: "Commande",
    customer: "Client",
    status: "État",
    left: "Reste à expédier",
    placed: "Passée le",
    total: "Total",
  },
  pieces: (n) => `${count.format(n)} ${plural("fr", n, { one: "article", other: "articles" })}`,
  loaded: (n, more) => `${orders(n)}${more ? " jusqu’ici" : ""}`,
  emptyTitle: "Aucune commande pour l’instant",
  emptyText:
    "Les commandes de votre boutique s’affichent ici et s’expédient ligne par ligne. Un programme en crée une ainsi :",
  nothingFound: "Aucune commande ne correspond",
  nothingFoundText: "Retirez une partie de la recherche, ou regardez sous un autre état.",
  clearFilters: "Tout afficher",
  order: "Commande",
  missing: "Cette commande n’existe pas dans cet environnement.",
  lines: "Lignes",
  lineColumns: { item: "Article", ordered: "Commandé", shipped: "Expédié", left: "Reste" },
  noLines: "Cette commande ne nomme aucun article.",
  shipments: "Envois",
  noShipments: "Rien n’est encore expédié.",
  shipmentStatuses: {
    draft: "Brouillon",
    purchasing: "Achat en cours",
    purchase_pending: "En attente du transporteur",
    purchased: "Étiqueté",
    void_pending: "Annulation en cours",
    voided: "Étiquette annulée",
    cancelled: "Annulé",
    in_transit: "En transit",
    delivered: "Livré",
    exception: "Incident",
    returned: "Retourné",
    booked: "Réservé",
  },
  details: "Détails",
  recipient: "Destinataire",
  source: "Provenance",
  placed: "Passée le",
  requested: "Service demandé",
  total: "Total",
  notes: "Notes",
  hold: "Mettre en attente",
  release: "Libérer",
  held: "La commande est en attente.",
  released: "La commande peut de nouveau être expédiée.",
  ship: "Expédier",
  shipTitle: "Expédier ce qui reste",
  shipText:
    "Changez les quantités pour expédier une partie. L’envoi est un brouillon jusqu’à l’achat de son étiquette.",
  weight: "Poids du colis",
  weightText: "Vide : les colis que la commande nomme.",
  create: "Créer l’envoi",
  cancel: "Annuler",
  nothingLeft: "Tout est expédié.",
  quantityOf: (title) => `Quantité de ${title}`,
  of: (n) => `sur ${count.format(n)}`,
};

export default fr;
