import type en from "./words.en.ts";

const fr: typeof en = {
  signIn: "Se connecter",
  welcome: "Connexion à Waybill",
  email: "Courriel",
  password: "Mot de passe",
  forgot: "Mot de passe oublié\u00a0?",
  wrong: "Ce courriel et ce mot de passe ne vont pas ensemble.",
  plainHttp: (address) =>
    `Cette page est venue par http, et ce serveur n’ouvre de session que par https. Ouvrez plutôt ${address}. Pour se passer de TLS, l’exploitant règle WAYBILL_PUBLIC_URL sur l’adresse http.`,
  demo: "Démo",
  demoText:
    "Ce serveur fonctionne avec son organisation de démonstration. Choisissez qui vous êtes\u00a0:",
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
  operatorWelcome: "Connexion de l’exploitant",
  secondFactor: "Configurer un second facteur",
  secondFactorText:
    "Les exploitants se connectent aussi avec une application d’authentification. Elle est configurée une fois, avant la première visite.",
  secondFactorStart: "Afficher le secret",
  secondFactorSecret:
    "Ajoutez ce secret à votre application d’authentification, puis saisissez les six chiffres qu’elle affiche.",
  recoveryTitle: "Codes de secours",
  recoveryText:
    "Gardez ces codes\u00a0: chacun vous connecte une fois sans l’application. Ils ne sont plus affichés ensuite.",
  copyCodes: "Copier les codes",
  deviceTitle: "Connecter un programme",
  deviceText:
    "Un programme qui veut travailler pour vous montre un code de huit lettres. Ne continuez que si vous l’avez lancé vous-même et que les codes sont les mêmes.",
  deviceUnknown:
    "Aucun programme n’attend sous ce code. Il a peut-être expiré\u00a0: un code est valable dix minutes.",
  deviceAsks: (client) => `«\u00a0${client}\u00a0» demande l’accès.`,
  deviceExpires: "Le code expire",
  deviceWhere: "Environnement",
  deviceEnvironments: {
    test: "Bac à sable\u00a0: sans argent",
    live: "Production\u00a0: vraies étiquettes, vrai argent",
  },
  deviceName: "Nom de son jeton",
  deviceScopes: "Ce qu’il peut faire",
  deviceUses: {
    ship: "Expédier\u00a0: tarifs, étiquettes, annulations",
    read: "Tout lire",
    all: "Tout ce que vous pouvez",
    own: "Choisir une à une",
  },
  deviceMayNot: "Votre rôle ne peut pas y faire de jetons, et donc pas connecter de programme.",
  deviceApprove: "Le connecter",
  deviceOther: "Un autre code",
  deviceDone: "Le programme est connecté. Vous pouvez fermer cette page et y retourner.",
};

export default fr;
