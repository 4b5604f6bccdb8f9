import type en from "./words.en.ts";

const fr: typeof en = {
  title: "Filtres",
  description:
    "Des conditions enregistrées sur les commandes et les envois, pour les listes et les règles.",
  create: "Nouveau filtre",
  edit: (name) => `Modifier «\u00a0${name}\u00a0»`,
  name: "Nom",
  target: "S’applique aux",
  targets: { orders: "Commandes", shipments: "Envois", both: "Commandes et envois" },
  save: "Enregistrer le filtre",
  saved: "Le filtre a été enregistré.",
  more: (name) => `Actions pour ${name}`,
  editAction: "Modifier",
  delete: "Supprimer",
  deleteTitle: (name) => `Supprimer «\u00a0${name}\u00a0»`,
  deleteText: "Les listes qui l’utilisent montrent de nouveau tout.",
  keep: "Le garder",
  deleted: "Le filtre a été supprimé.",
  columns: {
    name: "Nom",
    target: "S’applique aux",
    conditions: "Conditions",
    used: "Règles",
    updated: "Modifié",
    actions: "Actions",
  },
  emptyTitle: "Aucun filtre",
  emptyText:
    "Un filtre nomme un ensemble de commandes ou d’envois, comme «\u00a0colis lourds vers les États-Unis\u00a0».",
  counting: "Comptage",
  matching: (n, isCapped) => `${isCapped ? "Au moins " : ""}${n} y répondent maintenant`,
};

export default fr;
