import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { clientOptions } from '#shared/services.ts';

/**
 * Data keys of AWS KMS: one leaves it in plaintext and encrypted, and only KMS turns the second into the first
 * (https://docs.aws.amazon.com/kms/latest/developerguide/data-keys.html).
 */

export interface DataKeys {
  generate(): Promise<{ plaintext: Uint8Array; encrypted: Uint8Array }>;
  decrypt(encrypted: Uint8Array): Promise<Uint8Array>;
}

/** Is part of the record of each use in CloudTrail, and has to be the same for both. */
const EncryptionContext = { purpose: 'sealed secrets' };

function sent(bytes: Uint8Array | undefined): Uint8Array {
  if (!bytes) throw new Error('KMS sent no key');
  return bytes;
}

/** `KeyId` is an alias; `endpoint` the address of a local server. */
export function dataKeysOf(KeyId: string, endpoint?: string): DataKeys {
  const client = new KMSClient(clientOptions(endpoint));
  return {
    async generate() {
      const command = new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext });
      const { Plaintext, CiphertextBlob } = await client.send(command);
      return { plaintext: sent(Plaintext), encrypted: sent(CiphertextBlob) };
    },
    async decrypt(CiphertextBlob) {
      const { Plaintext } = await client.send(
        new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext }),
      );
      return sent(Plaintext);
    },
  };
}
