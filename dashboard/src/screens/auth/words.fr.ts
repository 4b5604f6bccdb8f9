import type en from "./words.en.ts";

const fr: typeof en = {
  signIn: "Se connecter",
  welcome: "Connexion à Waybill",
  email: "Courriel",
  password: "Mot de passe",
  forgot: "Mot de passe oublié ?",
  wrong: "Ce courriel et ce mot de passe ne vont pas ensemble.",
  demo: "Démo",
  demoText:
    "Ce serveur fonctionne avec son organisation de démonstration. Choisissez qui vous êtes :",
  roles: {
    owner: "Propriétaire",
    shipper: "Expéditeur",
    developer: "Développeur",
    finance: "Finances",
    viewer: "Lecteur",
    operator: "Exploitant",
  },
  code: "Code",
  codeText:
    "Saisissez les six chiffres de votre application d’authentification, ou un code de secours.",
  continue: "Continuer",
  invited: (organization) => `Rejoindre ${organization}`,
  invitedText: (email, role) => `Vous êtes invité comme ${email}, dans le rôle ${role}.`,
  name: "Votre nom",
  newPassword: "Nouveau mot de passe",
  newPasswordHint:
    "Au moins 10 caractères. Quatre mots dont vous vous souvenez valent mieux qu’un seul avec des signes.",
  presentPassword: "Votre mot de passe ici",
  join: "Rejoindre",
  linkGone: "Ce lien a servi ou a expiré. Demandez-en un nouveau.",
  reset: "Un nouveau mot de passe",
  resetText:
    "Saisissez votre courriel. S’il appartient à quelqu’un ici, un lien valable une heure y est envoyé.",
  sendLink: "Envoyer le lien",
  sent: "Si le courriel appartient à quelqu’un ici, le lien est en route. Si ce serveur n’envoie pas de courriel, un exploitant en fait un.",
  setPassword: "Fixer le mot de passe",
  passwordSet: "Le mot de passe est fixé. Connectez-vous avec lui.",
  back: "Retour à la connexion",
};

export default fr;
