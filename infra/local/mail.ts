import { join } from 'node:path';

/** By which way mail is sent on this machine: by the SMTP server of MAIL_SMTP_URL, or into files. */
export function localMail(folder: string, env: NodeJS.ProcessEnv): Record<string, string> {
  if (env.MAIL_SMTP_URL)
    return {
      MAIL_PROVIDER: 'smtp',
      MAIL_SMTP_URL: env.MAIL_SMTP_URL,
      ...(env.MAIL_FROM ? { MAIL_FROM: env.MAIL_FROM } : {}),
    };
  return {
    MAIL_PROVIDER: 'outbox',
    MAIL_OUTBOX: join(folder, 'outbox'),
    MAIL_FROM: env.MAIL_FROM || 'Workspace <no-reply@workspace.localhost>',
  };
}
