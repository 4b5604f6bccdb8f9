import { plural } from "../../words/plural.ts";
import type en from "./words.en.ts";

const count = new Intl.NumberFormat("fr-CA");
const parcels = (n: number) =>
  `${count.format(n)} ${plural("fr", n, { one: "colis", other: "colis" })}`;
const shipments = (n: number) =>
  `${count.format(n)} ${plural("fr", n, { one: "envoi", other: "envois" })}`;
const weight = new Intl.NumberFormat("fr-CA", { maximumFractionDigits: 1 });

const fr: typeof en = {
  title: "Ramassages",
  description: "Les transporteurs viennent chercher les colis étiquetés à votre porte.",
  waiting: "En attente d’un ramassage",
  nothingWaits: "Rien n’attend",
  nothingWaitsText:
    "Les colis étiquetés des transporteurs qui viennent à la porte sont ici jusqu’à ce qu’un ramassage les prenne ou que le transporteur les numérise.",
  toDesk: "Expédier un envoi",
  capped:
    "Il y a plus de colis en attente que ceux examinés ici. Les mille plus récents sont comptés.",
  parcels,
  load: (n, kg) => `${parcels(n)}, ${weight.format(kg)} kg`,
  partOf: (named, all) => `les ${named} plus récents sur ${count.format(all)}`,
  chosenOf: (chosen, all) =>
    `${count.format(chosen)} des ${count.format(all)} envois qui y attendent`,
  chosenTitle: (n) =>
    plural("fr", n, {
      one: `Pour l’envoi que vous avez choisi`,
      other: `Pour les ${count.format(n)} envois que vous avez choisis`,
    }),
  showAll: "Afficher tout ce qui attend",
  chosenDone: "Il ne reste rien à planifier",
  chosenDoneText: "Les ramassages de ce que vous avez choisi sont dans la liste ci-dessous.",
  chosenNone: "Aucun transporteur ne peut venir les chercher",
  leftOut: (n) =>
    `${shipments(n)} ${plural("fr", n, { one: "laissé de côté", other: "laissés de côté" })}\u00a0:`,
  leftOutReasons: {
    freight: "Le transporteur ramasse le fret le jour pour lequel il a été réservé.",
    no_label: "Il n’a pas d’étiquette.",
    moving: "Le transporteur l’a déjà.",
    in_pickup: "Un ramassage doit déjà le prendre.",
    not_fetched: "Son transporteur ne vient pas à la porte pour ce service.",
    not_listed:
      "Son transporteur ne vient pas à la porte pour ce service, ou trop de colis attendent pour être tous listés ici.",
  },
  free: "Sans frais",
  feeIs: "Frais, taxes comprises",
  todayUntil: "Aujourd’hui, si demandé avant",
  left: (hours, minutes) =>
    hours > 0 ? `encore ${hours} h ${minutes} min` : `encore ${minutes} min`,
  pastCutoff: "Trop tard pour aujourd’hui. Prochain\u00a0:",
  schedule: "Planifier",
  scheduleOf: (carrier, address) => `Planifier ${carrier} au ${address}`,
  scheduleTitle: (carrier) => `Ramassage par ${carrier}`,
  day: "Jour",
  today: "Aujourd’hui",
  next: "Prochain jour ouvrable",
  other: "Un autre jour",
  otherDay: "Date",
  ready: "Prêt à partir de",
  close: "Ouvert jusqu’à",
  timesHint: (minutes) => `À l’heure de l’adresse, au moins ${minutes} minutes pour le chauffeur.`,
  openUntil: (day, time) => `${day}, si vous êtes ouvert jusqu’à ${time} ou plus tard`,
  contact: "Personne à la porte",
  phone: "Téléphone",
  instructions: "Pour le chauffeur",
  instructionsHint: "Quelle porte, où sonner",
  feeTitle: "Ce que cela coûte",
  fee: "Frais",
  tax: "Taxes",
  total: "Total",
  feeNone: (carrier) => `${carrier} vient sans frais.`,
  feeNote: "Facturé quand le transporteur confirme, et remboursé si le ramassage est annulé.",
  confirm: "Planifier le ramassage",
  confirmFor: (amount) => `Planifier pour ${amount}`,
  done: "Le transporteur viendra.",
  asked: "Demandé. Le transporteur n’a pas encore répondu\u00a0; la liste le montrera.",
  partly: "Tous les transporteurs ne viennent pas. La liste dit pourquoi.",
  list: "Ramassages",
  tabs: {
    all: "Tous",
    "scheduled,confirmed": "À venir",
    picked_up: "Ramassés",
    "cancelled,failed": "Annulés, échoués",
  },
  columns: {
    day: "Jour",
    carriers: "Transporteurs",
    address: "Adresse",
    parcels: "Colis",
    cost: "Coût",
    status: "État",
    actions: "Actions",
  },
  statuses: {
    scheduled: "Réponse attendue",
    confirmed: "Confirmé",
    picked_up: "Ramassé",
    failed: "Aucun transporteur",
    cancelled: "Annulé",
  },
  between: (from, to) => `de ${from} à ${to}`,
  number: "Nº",
  emptyTitle: "Aucun ramassage",
  emptyText: "Les ramassages planifiés sont ici, avec ce qu’ils sont devenus.",
  emptyTab: "Aucun ramassage n’est dans cet état.",
  cancel: "Annuler le ramassage",
  cancelOf: (day) => `Annuler le ramassage du ${day}`,
  cancelTitle: "Annuler le ramassage\u00a0?",
  cancelText:
    "Les transporteurs qui ne sont pas encore venus sont décommandés, et leurs frais remboursés. Les colis attendent de nouveau.",
  keep: "Le garder",
  cancelled: "Le ramassage est annulé.",
  mayNot:
    "Votre rôle voit les ramassages et ne les planifie pas. Les propriétaires et les expéditeurs le font.",
};

export default fr;
