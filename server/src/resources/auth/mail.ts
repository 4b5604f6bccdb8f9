import type { Transporter } from "nodemailer";
import type { Platform } from "../../context.ts";

/** E-mails to people. Without WAYBILL_SMTP_URL there is no mailer, and links are passed on by hand. */
export interface Mailer {
  is_configured: boolean;
  /** Sends in the background: no answer may take longer for an e-mail that exists. */
  send(mail: Mail): void;
}

interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Without `smtp_url` nothing is sent. A failure to send is logged, and never thrown. */
export function openMailer({ config, log }: Pick<Platform, "config" | "log">): Mailer {
  const { smtp_url, mail_from } = config;
  if (smtp_url === "") return { is_configured: false, send: () => {} };
  const transport = openTransport(smtp_url, mail_from);
  return {
    is_configured: true,
    send(mail) {
      sendBy(transport, mail).catch((error: unknown) => {
        // The error of an SMTP server may quote the mail, and with it the link.
        log.warn({ code: (error as { code?: string }).code ?? "unknown" }, "mail.not_sent");
      });
    },
  };
}

/** Loaded here: most installations send no mail, and it takes three mebibytes. */
function openTransport(url: string, from: string): () => Promise<Transporter> {
  let opened: Transporter | null = null;
  return async () => {
    const { createTransport } = await import("nodemailer");
    return (opened ??= createTransport(url, { from }));
  };
}

async function sendBy(transport: () => Promise<Transporter>, mail: Mail): Promise<void> {
  await (await transport()).sendMail(mail);
}
