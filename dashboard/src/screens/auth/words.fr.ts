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
};

export default fr;
