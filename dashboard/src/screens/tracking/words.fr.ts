import type en from "./words.en.ts";

const fr: typeof en = {
  title: "Anomalies de suivi",
  description: "Les colis qui n’arrivent pas d’eux-mêmes. Ce que vous notez ici est à vous seul.",
  tabs: {
    exception: "Anomalie",
    return_to_sender: "En retour",
    attempted_delivery: "Livraison tentée",
    available_for_pickup: "Au comptoir",
  },
  tabTexts: {
    exception: "Aucun colis n’a d’anomalie.",
    return_to_sender: "Aucun colis n’est en retour.",
    attempted_delivery: "Aucune livraison n’a été tentée en vain.",
    available_for_pickup: "Aucun colis n’attend au comptoir.",
  },
  emptyTitle: "Rien à faire",
  hideHandled: "Cacher ce que j’ai réglé",
  allHandled: "Tout ce qui est chargé ici est réglé.",
  columns: {
    code: "Colis",
    state: "Dernière lecture",
    place: "Où",
    due: "Attendu",
    note: "Ma note",
    handled: "Réglé",
  },
  noScan: "Pas encore lu",
  handledBy: (code) => `${code} est réglé`,
  detail: (code) => `Colis ${code}`,
  scans: "Lectures",
  noScans: "Le transporteur ne l’a pas encore lu.",
  expected: "Attendu",
  links: "Pages",
  publicPage: "Page pour le destinataire",
  carrierPage: (carrier) => `Page de ${carrier}`,
  shipment: "L’envoi",
  note: "Ma note",
  noteHint: "Vous seul la voyez. Les deux cents notes les plus récentes sont gardées.",
  handled: "Réglé",
  handledAt: "Réglé",
  save: "Enregistrer",
  saved: "Enregistré.",
};

export default fr;
