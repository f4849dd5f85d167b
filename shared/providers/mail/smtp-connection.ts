import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** A connection to an SMTP server by which a message goes to all of its recipients or to none. */

/** What nodemailer says about a failure: https://nodemailer.com/errors */
export interface SmtpFailure {
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
  /** Of each recipient that the server did not take. */
  refused?: { recipient?: string; responseCode?: number; response?: string }[];
}

/** What nodemailer has for its own classes, and does not describe: test/providers/mail/smtp.test.ts holds it. */
interface Internals {
  _parseEhloExtensions(reply: string): void;
  _envelopeError(reply: string): Error | null;
  _envelope?: { rejectedErrors?: NonNullable<SmtpFailure['refused']> };
}

const Connection = SMTPConnection as unknown as new (
  options: SMTPConnection.Options,
) => SMTPConnection & Internals;

/**
 * nodemailer sends to the recipients that the server takes. Here DATA follows only when it took all of them; therefore it is
 * not sent together with the recipients (RFC 2920).
 */
export class SmtpConnection extends Connection {
  /** What the server can do, in capitals. */
  extensions: string[] = [];

  override _parseEhloExtensions(reply: string): void {
    const lines = reply.split(/\r?\n/).filter((line) => !/^250[ -]PIPELINING\b/i.test(line));
    this.extensions = lines.map((line) => line.slice(4).split(' ')[0]?.toUpperCase() ?? '');
    super._parseEhloExtensions(lines.join('\n'));
  }

  override _envelopeError(reply: string): Error | null {
    const refused = this._envelope?.rejectedErrors ?? [];
    if (refused.length === 0) return super._envelopeError(reply);
    const failure: SmtpFailure = { code: 'EENVELOPE', command: 'RCPT TO', refused };
    return Object.assign(new Error('Recipients were refused'), failure, {
      responseCode: refused[0]?.responseCode,
    });
  }
}
