import { plural } from "../../words/plural.ts";
import type en from "./words.en.ts";

const fields: (typeof en)["fields"] = {
  account_country: {
    label: "Pays du compte",
    note: "En deux lettres, comme CA. Il détermine la devise de la facture.",
  },
  account_number: { label: "Numéro de compte" },
  account_type: {
    label: "Mode de paiement",
    note: "Un compte de paiement d’entreprise (EPS) ou un permis. EPS si rien n’est choisi.",
  },
  api_key: { label: "Clé d’API" },
  billing_account_number: {
    label: "Compte facturé",
    note: "Le compte enregistré est facturé si ce champ est vide.",
  },
  client_id: { label: "Identifiant client (client ID)" },
  client_secret: { label: "Secret client (client secret)" },
  contact_email: {
    label: "Courriel de contact",
    note: "Le transporteur y écrit au sujet des remboursements et des ramassages.",
  },
  contact_phone: {
    label: "Téléphone de contact",
    note: "Pour les expéditeurs sans numéro de téléphone.",
  },
  contract_id: {
    label: "Contrat",
    note: "Sans contrat, les envois sont achetés un à un, sans manifeste.",
  },
  crid: { label: "Identifiant d’inscription du client (CRID)" },
  customer_number: { label: "Numéro de client", note: "Le client qui dépose les envois." },
  key: { label: "Clé de production" },
  mailed_on_behalf_of: {
    label: "Déposé pour le compte de",
    note: "Un numéro de client, s’il diffère de celui qui dépose.",
  },
  manifest_mid: {
    label: "Identifiant d’expéditeur des manifestes",
    note: "Celui ci-dessus si ce champ est vide.",
  },
  method_of_payment: {
    label: "Paiement du contrat",
    note: "Par compte si rien n’est choisi.",
  },
  mid: {
    label: "Identifiant d’expéditeur (MID)",
    note: "Celui auquel appartiennent les étiquettes.",
  },
  negotiated_rates: {
    label: "Tarifs négociés",
    note: "Si les prix propres au compte sont demandés. Oui si rien n’est choisi.",
  },
  password: { label: "Mot de passe" },
  permit_zip: { label: "Code ZIP du permis" },
  price_type: {
    label: "Prix",
    note: "Prix commerciaux si rien n’est choisi.",
  },
  user_token: { label: "Clé d’activation", note: "Les comptes récents en ont une." },
  username: { label: "Nom d’utilisateur" },
};

const fr: typeof en = {
  title: "Transporteurs",
  description: "Les services offerts, et vos propres comptes chez les transporteurs.",
  columns: {
    carrier: "Transporteur",
    services: "Services",
    accounts: "Vos comptes",
    health: "État",
  },
  kinds: { courier: "Colis", ltl: "Fret" },
  offered: (on, all) => (on === all ? `Les ${all} offerts` : `${on} sur ${all} offerts`),
  accountCount: (n) => `${n} ${plural("fr", n, { one: "compte", other: "comptes" })}`,
  noAccounts: "–",
  health: { up: "Disponible", degraded: "Perturbé", down: "Suspendu" },
  back: "Tous les transporteurs",
  unknownCarrier: "Aucun transporteur ne porte ce nom.",
  evidence: {
    simulated: "Waybill ne joint ce transporteur que par son simulateur.",
    documents:
      "L’interface de Waybill avec ce transporteur a été vérifiée d’après les documents de celui-ci.",
    recorded:
      "L’interface de Waybill avec ce transporteur a été vérifiée d’après des enregistrements de son bac à sable.",
  },

  services: "Services",
  servicesNote: "Un service désactivé n’apparaît dans aucun tarif, et ni règle ni lot ne l’achète.",
  servicesReadOnly: "Votre rôle voit les services sans les activer ni les désactiver.",
  domestic: "National",
  international: "International",
  everywhere: "National et international",
  switchedOn: (service) => `${service} est offert.`,
  switchedOff: (service) => `${service} n’est plus offert.`,

  connections: "Vos propres comptes",
  connectionsNote:
    "Ce qui est acheté sur un de vos comptes vous est facturé par le transporteur. Sans compte à vous, celui de la plateforme est utilisé.",
  featureOff:
    "Les comptes propres ne sont pas activés pour ce compte. L’exploitant de la plateforme peut le faire.",
  connectionsEmpty: (carrier) => `Aucun compte chez ${carrier}`,
  connectionColumns: { name: "Nom", state: "État", tested: "Dernier test", actions: "Actions" },
  statuses: { untested: "Non testé", active: "Actif", failing: "Refusé", disabled: "Désactivé" },
  isDefault: "Par défaut",
  secretEnds: "secret se terminant par",
  never: "Jamais",
  testOk: "Accepté",
  testFailed: "Refusé",
  add: "Ajouter un compte",
  more: (name) => `Actions pour ${name}`,
  test: "Tester",
  accepted: (name) => `Le transporteur accepte ${name}.`,
  edit: "Modifier",
  rotate: "Remplacer les secrets",
  makeDefault: "Utiliser par défaut",
  madeDefault: (name) => `${name} est utilisé par défaut.`,
  enable: "Activer",
  enabled: (name) => `${name} est activé.`,
  disable: "Désactiver",
  disabled: (name) => `${name} est désactivé.`,
  delete: "Supprimer",
  deleteTitle: (name) => `Supprimer ${name}\u00a0?`,
  deleteText:
    "Plus rien n’y sera acheté. Les étiquettes déjà achetées restent, et ne peuvent plus être annulées ni suivies par ce compte.",
  deleted: "Supprimé.",
  cancel: "Annuler",
  save: "Enregistrer",
  saved: "Enregistré.",
  newTitle: (carrier) => `Un compte chez ${carrier}`,
  editTitle: (name) => `Modifier ${name}`,
  rotateTitle: (name) => `Remplacer les secrets de ${name}`,
  rotateText:
    "Le transporteur est d’abord interrogé avec les nouveaux. S’il ne les accepte pas, les anciens restent.",
  name: "Nom",
  nameNote: "Par lequel vous distinguez vos comptes",
  secretsNote: "Ils sont conservés chiffrés, et aucun écran ne les montre de nouveau.",
  asDefault: "Par défaut pour ce transporteur",
  asDefaultNote: "Les tarifs et les achats utilisent le compte par défaut.",
  notChosen: "Non choisi",
  fields,
};

export default fr;
