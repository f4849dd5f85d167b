import { readAddress } from '#shared/addresses.ts';
import { type MailConfig, mailProblem, readMail, senderOf } from '#shared/config.ts';
import type { Deployment, Kind } from './kind.ts';

/** Mail that the service sends: by SES, or by an SMTP server. */

export interface MailSettings extends Pick<MailConfig, 'provider' | 'from'> {
  /** The name of the secret in Secrets Manager that holds the address of the SMTP server with its password. */
  smtp_url_secret: string | undefined;
}

/** Reads `cdk -c name=value`: mailFrom, mailSmtpUrlSecret. Without both, the service sends no mail. */
export function readMailSettings(text: (name: string) => string | undefined): MailSettings {
  const smtp_url_secret = text('mailSmtpUrlSecret');
  const from = text('mailFrom');
  const config = readMail({
    MAIL_PROVIDER: smtp_url_secret ? 'smtp' : from ? 'ses' : 'none',
    MAIL_FROM: from,
    // Known on deployment only.
    MAIL_SMTP_URL: smtp_url_secret && 'smtps://secret',
  });
  const problem = mailProblem(config);
  if (problem) throw new Error(`${problem} By -c: mailFrom, mailSmtpUrlSecret.`);
  return { provider: config.provider, from, smtp_url_secret };
}

/** Reads `cdk -c name=value`: appUrl, and apiUrl or else domainName. */
export function readAddressSettings(setting: Deployment['setting']): Record<string, string> {
  const domain = setting('domainName');
  const app = readAddress(setting('appUrl'), '-c appUrl');
  const api = readAddress(setting('apiUrl') ?? (domain && `https://${domain}`), '-c apiUrl');
  return { ...(app ? { APP_URL: app } : {}), ...(api ? { API_URL: api } : {}) };
}

/** Sending mail, for the workers: requests leave it to the queue. */
export const mail = {
  modes: ['send'],
  /**
   * From one address: of an identity of its own, or of its domain
   * (https://docs.aws.amazon.com/ses/latest/dg/control-user-access.html). `ses:SendEmail` does not permit raw messages.
   */
  grants(_, { arn, setting }) {
    const { provider, from = '' } = readMailSettings(setting);
    const address = senderOf(from)?.address;
    if (provider !== 'ses' || !address) return [];
    const identities = [address, address.slice(address.indexOf('@') + 1)];
    return [
      {
        actions: ['ses:SendEmail'],
        resources: identities.map((identity) =>
          arn({ service: 'ses', resource: 'identity', resourceName: identity }),
        ),
        conditions: { StringEquals: { 'ses:FromAddress': address } },
      },
    ];
  },
  variables(_, { setting, secret }) {
    const { from, smtp_url_secret } = readMailSettings(setting);
    return {
      ...(from ? { MAIL_FROM: from } : {}),
      ...(smtp_url_secret ? { MAIL_SMTP_URL: secret(smtp_url_secret) } : {}),
      ...readAddressSettings(setting),
    };
  },
  /** Whether mail is sent, for those that ask for it as well. */
  known: (uses, { setting }): Record<string, string> =>
    uses.has('queue:send-mail') || uses.has('queue:mail-notifications')
      ? { MAIL_PROVIDER: readMailSettings(setting).provider }
      : {},
  settings: {
    mailFrom: 'the sender of mail, an address or "Name <address>"; without it the service sends none',
    mailSmtpUrlSecret: 'the secret with the address of an SMTP server, in place of SES',
    appUrl: 'the address of your app, which mail links to; without it mail says in words what to do',
    apiUrl: 'the address of the API, for links that end mail; by default that of domainName',
  },
  local: ['APP_URL', 'API_URL'],
  libraries: {
    '@aws-sdk/client-sesv2': { bytes: 65_000, reason: 'sends mail by SES' },
    nodemailer: { bytes: 250_000, reason: 'sends mail by SMTP' },
  },
} as const satisfies Kind;
