import type en from "./words.en.ts";

const fr: typeof en = {
  title: "Aperçu",
  toDo: "À faire",
  nothingToDo: "Rien ne vous attend.",
  drafts: "Brouillons à acheter",
  exceptions: "Incidents de livraison",
  pending: "En attente d’un transporteur",
  products: "Produits à approuver",
  orders: "Commandes à expédier",
  labels: "Étiquettes en 30 jours",
  spend: "Dépensé en 30 jours",
  average: "Étiquette moyenne",
  onTime: "À temps",
  perDay: "Étiquettes par jour",
  day: "Jour",
  count: "Étiquettes",
  byCarrier: "Par transporteur",
  carrier: "Transporteur",
  total: "Total",
  nothingShipped: "Rien n’a été expédié ces 30 derniers jours.",
  firstTitle: "La première étiquette en trois étapes",
  stepAddress: "Indiquez d’où vous expédiez",
  stepLabel: "Achetez une étiquette au poste d’expédition",
  stepToken: "Faites un jeton pour votre programme",
  ship: "Expédier un envoi",
  done: "Fait",
};

export default fr;
