import type en from "./words.en.ts";

const fr: typeof en = {
  title: "Recharge automatique",
  turnOn: "Débiter une carte quand le solde est bas",
  turnOnNote: "Aussi pour les achats des lots et des règles, que personne ne surveille.",
  threshold: "Quand le solde passe sous",
  amount: "Débiter",
  amountNote: "Au moins autant que le seuil",
  card: "Carte",
  defaultCard: "La carte par défaut",
  saved: "Enregistré.",
  charging: "La carte est en train d’être débitée.",
  failing: "La carte a été refusée. Elle sera débitée de nouveau à ce moment\u00a0:",
  paused: "En pause\u00a0: la carte a été refusée trois fois",
  pausedText: "Choisissez une autre carte ou enregistrez de nouveau, et elle sera débitée.",
};
export default fr;
