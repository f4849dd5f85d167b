import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Secrets of users that the service must be able to read again, such as passwords of other servers: encrypted by
 * AES-256-GCM under the keys of the deployment, for one place. A copy of the table alone does not tell them, and one that is
 * moved to another place cannot be opened.
 */

const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyFrom = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'sealed secrets', 32));

/** `secrets` are those of the deployment, newest first. */
export function seal(secrets: readonly string[], text: string, place: string): string {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('There is no key to seal with');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFrom(newest), iv).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

function openWith(secret: string, bytes: Buffer, place: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFrom(secret), bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Undefined when no key of the deployment opens it: the one it was sealed with is gone. */
export function open(secrets: readonly string[], sealed: string, place: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  for (const secret of secrets) {
    const text = openWith(secret, bytes, place);
    if (text !== undefined) return text;
  }
  return undefined;
}
