import { plural } from "../words/plural.ts";
import type en from "./words.en.ts";

const count = new Intl.NumberFormat("fr-CA");

const fr: typeof en = {
  retry: "Réessayer",
  close: "Fermer",
  cancel: "Annuler",
  save: "Enregistrer",
  copy: "Copier",
  copied: "Copié",
  copyByKeys: (keys) =>
    `Le navigateur ne l’a pas copié. Le texte est sélectionné\u00a0: appuyez sur ${keys}.`,
  requestId: "N° de requête",
  loading: "Chargement",
  loadMore: "Afficher la suite",
  loadingMore: "Chargement de la suite",
  nothingFound: "Aucun résultat",
  clear: "Effacer",
  increase: "Augmenter",
  decrease: "Diminuer",
  selectAll: "Sélectionner toutes les lignes",
  selectRow: (name) => `Sélectionner ${name}`,
  selected: (n) =>
    `${count.format(n)} ${plural("fr", n, { one: "sélectionné", other: "sélectionnés" })}`,
  rows: (n) => `${count.format(n)} ${plural("fr", n, { one: "ligne", other: "lignes" })}`,
  clearSelection: "Annuler la sélection",
  offline: "Le serveur est injoignable. Vérifiez la connexion; votre saisie est conservée.",
  forbidden: (roles) =>
    `Votre rôle ne comprend pas cette action. Elle est ouverte à\u00a0: ${roles.join(", ")}.`,
  roles: {
    owner: "Propriétaire",
    shipper: "Expéditeur",
    developer: "Développeur",
    finance: "Finances",
    viewer: "Lecteur",
    operator: "Exploitant",
  },
  unavailable:
    "Le service est momentanément indisponible. Une nouvelle tentative suit d’elle-même.",
  failed: "Le chargement a échoué",
  limitWait: "En attente\u00a0: la limite d’appels par minute est atteinte.",
  continuesIn: (seconds) => `La suite dans ${count.format(seconds)} s.`,
  notSaved: "Non enregistré",
  fixFields: "Certains champs sont à revoir\u00a0:",
  earlierAttempt:
    "Une tentative précédente de ce formulaire est parvenue au serveur avec un autre contenu. Consultez la liste avant de renvoyer.",
  andMore: (n) => `Et ${count.format(n)} de plus.`,
  optional: "facultatif",
  address: {
    name: "Nom",
    company: "Entreprise",
    address1: "Numéro et rue",
    address2: "App., bureau",
    city: "Ville",
    province_code: "Province",
    postal_code: "Code postal",
    country_code: "Pays",
    phone: "Téléphone",
    email: "Courriel",
    is_residential: "Un domicile, pas une entreprise",
  },
};

export default fr;
