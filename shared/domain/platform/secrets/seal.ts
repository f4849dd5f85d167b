import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * What only the service may read and make: encrypted by AES-256-GCM under the keys of the deployment, for one place. So are
 * passwords of other servers, which a copy of the table alone does not tell, and tokens that leave the service. What is moved
 * to another place cannot be opened.
 */

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyFrom = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'sealed secrets', 32));

/** `secrets` are those of the deployment, newest first. */
export function sealBytes(secrets: readonly string[], bytes: Uint8Array, place: string): string {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('There is no key to seal with');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyFrom(newest), iv).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

export const seal = (secrets: readonly string[], text: string, place: string): string =>
  sealBytes(secrets, Buffer.from(text), place);

function openWith(secret: string, bytes: Buffer, place: string): Buffer | undefined {
  try {
    // Without its length, a shorter tag would be compared in part.
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv(ALGORITHM, keyFrom(secret), bytes.subarray(0, IV_BYTES), options)
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Undefined when no key of the deployment opens it: it is none, or the one it was sealed with is gone. */
export function openBytes(secrets: readonly string[], sealed: string, place: string): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  // Only the canonical spelling: base64 has several for one value.
  if (bytes.toString('base64url') !== sealed) return undefined;
  for (const secret of secrets) {
    const opened = openWith(secret, bytes, place);
    if (opened) return opened;
  }
  return undefined;
}

export const open = (secrets: readonly string[], sealed: string, place: string): string | undefined =>
  openBytes(secrets, sealed, place)?.toString('utf8');
