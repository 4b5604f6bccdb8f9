export default {
  signIn: "Sign in",
  welcome: "Sign in to Waybill",
  email: "Email",
  password: "Password",
  forgot: "Forgot the password?",
  wrong: "This email and password do not belong together.",
  demo: "Demo",
  demoText: "This server runs with its demo organization. Choose who you are:",
  roles: { owner: "Owner", shipper: "Shipper", developer: "Developer", finance: "Finance", viewer: "Viewer", operator: "Operator" },
  code: "Code",
  codeText: "Enter the six digits of your authenticator, or a recovery code.",
  continue: "Continue",
};
