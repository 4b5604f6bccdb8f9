import { plural } from "../../words/plural.ts";
import type en from "./words.en.ts";

const count = new Intl.NumberFormat("fr-CA");
const shipments = (n: number) =>
  `${count.format(n)} ${plural("fr", n, { one: "envoi", other: "envois" })}`;
const rows = (n: number) =>
  `${count.format(n)} ${plural("fr", n, { one: "ligne", other: "lignes" })}`;

const fr: typeof en = {
  title: "Lots",
  description: "Plusieurs étiquettes achetées d’un coup et imprimées en un seul fichier.",
  import: "Étiquettes d’un fichier",
  columns: { name: "Nom", status: "État", shipments: "Envois", created: "Créé", cost: "Coût" },
  statuses: {
    open: "Ouvert",
    processing: "Achat en cours",
    completed: "Terminé",
    completed_with_errors: "Terminé, avec échecs",
  },
  bought: (n, of) => `${count.format(n)} sur ${count.format(of)} achetés`,
  failed: (n) => `${count.format(n)} en échec`,
  emptyTitle: "Aucun lot pour l’instant",
  emptyText:
    "Un lot achète plusieurs étiquettes d’un coup. Déposez un fichier CSV d’adresses, ou choisissez des envois dans leur liste.",
  batch: "Lot",
  missing: "Ce lot n’existe pas dans cet environnement.",
  progress: "Achetés jusqu’ici",
  summary: { bought: "Achetés", failed: "En échec", left: "Restants", cost: "Payé" },
  print: "Imprimer les étiquettes",
  download: "Ouvrir le fichier",
  fileComing: "Le fichier unique de toutes les étiquettes est en préparation.",
  serviceOfEach: "Chacune avec son service, sinon avec le moins cher.",
  buy: "Acheter les étiquettes",
  retry: (n) => (n < 2 ? "Réessayer l’échec" : `Réessayer les ${count.format(n)} échecs`),
  started: "Le lot est en cours d’achat.",
  allItems: "Tous",
  items: "Résultat de chaque envoi",
  itemColumns: { reference: "Envoi", state: "État", reason: "Raison", cost: "Coût" },
  states: {
    waiting: "En attente",
    claimed: "Achat en cours",
    pending: "En attente du transporteur",
    succeeded: "Acheté",
    failed: "En échec",
  },
  fix: "Corriger et réessayer",
  fixTitle: "Corriger l’envoi et réessayer",
  save: "Enregistrer et réessayer",
  noItems: "Aucun",
  notStarted: "Rien n’est encore acheté. Le résultat de chaque envoi sera indiqué ici.",
  weight: "Poids",
  cancel: "Annuler",
  delete: "Supprimer le lot",
  deleteText: "Le lot est retiré. Ses envois restent des brouillons, et rien n’a été acheté.",
  deleted: "Le lot a été supprimé.",
  importTitle: "Étiquettes d’un fichier",
  importText: "Un fichier CSV avec un envoi par ligne devient un seul PDF d’étiquettes.",
  steps: { file: "Fichier", columns: "Colonnes", check: "Vérification", buy: "Achat" },
  drop: "Déposez un fichier CSV ici",
  dropText:
    "D’Excel, de Shopify ou de votre système\u00a0: virgules ou points-virgules, colonnes dans n’importe quel ordre.",
  choose: "Choisir un fichier",
  sample: "Télécharger un exemple",
  unreadable: "Ce fichier n’a aucune ligne sous ses titres.",
  tooMany: "Un fichier a au plus 10 000 lignes. Divisez-le.",
  underWay: (name) => `${name} n’est pas terminé`,
  underWayText: "Ce qui est renvoyé ne crée rien en double.",
  goOn: "Continuer",
  discard: "En commencer un autre",
  file: (name, n) => `${name} · ${rows(n)}`,
  mapText:
    "Ce que contient chaque colonne du fichier. Ce qui n’est pas reconnu est laissé de côté.",
  column: "Colonne du fichier",
  means: "Contient",
  example: "Premières valeurs",
  leftOut: "Laissée de côté",
  preview: (n) =>
    `${plural("fr", n, { one: "La première ligne", other: `Les ${rows(n)} du début` })}, telles que comprises`,
  missingFields: (names) => `Pas encore de colonne pour\u00a0: ${names}.`,
  weightUnit: "Unité de poids",
  sizeUnit: "Unité de taille",
  check: (n) => `Vérifier ${rows(n)}`,
  checking: (done, of) => `${count.format(done)} sur ${rows(of)} vérifiées`,
  back: "Retour",
  good: (n) => `${rows(n)} ${plural("fr", n, { one: "prête", other: "prêtes" })}`,
  bad: (n) => `${rows(n)} à corriger`,
  badText: "Corrigez-les ici et vérifiez de nouveau, ou continuez sans elles.",
  allGood: "Toutes les lignes sont prêtes.",
  recheck: "Vérifier de nouveau",
  downloadBad: "Télécharger ces lignes",
  row: "Ligne",
  reason: "Ce qui ne va pas",
  next: "Choisir le service",
  service: "Service",
  strategies: {
    cheapest: "Le moins cher",
    cheapest_tracked: "Le moins cher avec suivi",
    fastest: "Le plus rapide",
  },
  serviceText:
    "Pour les lignes dont le fichier ne nomme aucun service. Vos règles passent d’abord.",
  available: "Solde disponible",
  ready: "Étiquettes à acheter",
  count: (n) => count.format(n),
  ownService: (n) =>
    n === 1 ? "1 par son propre service" : `${count.format(n)} par leurs propres services`,
  sum: "Total, taxes comprises",
  sumOf: (n) => `Total de ${count.format(n)}, taxes comprises`,
  left: "Solde restant",
  leftSoFar: "Solde restant après celles-ci",
  prices: "Prix",
  pricing: (known, of) =>
    `Prix de ${count.format(known)} ${plural("fr", known, { one: "étiquette", other: "étiquettes" })} sur ${count.format(of)}`,
  notPriced: (n) =>
    `${count.format(n)} ${plural("fr", n, { one: "étiquette n’a", other: "étiquettes n’ont" })} pas encore de prix.`,
  askPrices: (n) => (n === 1 ? "Demander son prix" : `Demander ${count.format(n)} prix`),
  withoutService: (n) =>
    n === 1
      ? "Aucun service ne convient maintenant pour une étiquette. Elle échouera avec la raison, et pourra être corrigée et réessayée."
      : `Aucun service ne convient maintenant pour ${count.format(n)} étiquettes. Elles échoueront avec la raison, et pourront être corrigées et réessayées.`,
  notCovered:
    "Le solde ne suffit pas. Ce qu’il ne couvre pas échoue avec cette raison, et peut être réessayé après une recharge.",
  totalText:
    "Ce sont les prix d’à présent. Chaque étiquette reçoit son prix de nouveau à l’achat, et vos règles peuvent choisir un autre service. Rien n’est acheté au-delà du solde.",
  buyLabels: (n) =>
    `Acheter ${count.format(n)} ${plural("fr", n, { one: "étiquette", other: "étiquettes" })}`,
  batchOf: (name) => `Étiquettes de ${name}`,
  needs: "est obligatoire.",
  number: "doit être un nombre supérieur à 0.",
  fields: {
    name: "Nom",
    company: "Entreprise",
    address1: "Rue et numéro",
    address2: "Bureau, appartement",
    city: "Ville",
    province_code: "Province",
    postal_code: "Code postal",
    country_code: "Code du pays",
    phone: "Téléphone",
    email: "Courriel",
    weight: "Poids",
    length: "Longueur",
    width: "Largeur",
    height: "Hauteur",
    reference: "Référence",
    service: "Service",
    item_title: "Contenu",
    item_quantity: "Quantité",
    item_value: "Valeur d’un article",
    item_sku: "UGS",
    item_hs_code: "Code SH",
    item_country_of_origin: "Fabriqué en",
  },
  shipments,
};

export default fr;
