import { createTransport } from "nodemailer";
import type { Platform } from "../../context.ts";

/** E-mails to people. Without WAYBILL_SMTP_URL there is no mailer, and links are passed on by hand. */
export interface Mailer {
  is_configured: boolean;
  /** Sends in the background: no answer may take longer for an e-mail that exists. */
  send(mail: { to: string; subject: string; text: string }): void;
}

export function openMailer({ config, log }: Pick<Platform, "config" | "log">): Mailer {
  const { smtp_url, mail_from } = config;
  if (smtp_url === "") return { is_configured: false, send: () => {} };
  const transport = createTransport(smtp_url, { from: mail_from });
  return {
    is_configured: true,
    send(mail) {
      transport.sendMail(mail).catch((error: unknown) => {
        // The error of an SMTP server may quote the mail, and with it the link.
        log.warn({ code: (error as { code?: string }).code ?? "unknown" }, "mail.not_sent");
      });
    },
  };
}
