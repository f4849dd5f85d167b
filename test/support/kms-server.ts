import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/**
 * A server that speaks the protocol of AWS KMS, JSON 1.1, for data keys
 * (https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateDataKey.html).
 */

interface Sent {
  KeyId: string;
  EncryptionContext?: Record<string, string>;
  KeySpec?: string;
  CiphertextBlob?: string;
}

class Refused extends Error {}

export class KmsServer {
  /** The alias of the one key. */
  readonly alias = 'alias/WorkspaceApi/test/sealing';
  /** Operations, in order. */
  readonly asked: string[] = [];
  /** An error for each of the next requests. */
  readonly refusals: string[] = [];
  readonly #key = randomBytes(32);
  readonly #server = createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
    this.asked.push(operation);
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    json(request).then(
      (sent) => {
        try {
          answer(200, this.#done(operation, sent as Sent));
        } catch (error) {
          answer(400, { __type: (error as Error).message, message: 'No' });
        }
      },
      () => answer(400, { __type: 'SerializationException' }),
    );
  });

  #done(operation: string, { KeyId, EncryptionContext = {}, KeySpec, CiphertextBlob = '' }: Sent): object {
    const refusal = this.refusals.shift();
    if (refusal) throw new Refused(refusal);
    if (KeyId !== this.alias) throw new Refused('NotFoundException');
    const context = Buffer.from(JSON.stringify(EncryptionContext));
    if (operation === 'GenerateDataKey') {
      if (KeySpec !== 'AES_256') throw new Refused('ValidationException');
      const plain = randomBytes(32);
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(context);
      const encrypted = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      return { KeyId, Plaintext: plain.toString('base64'), CiphertextBlob: encrypted.toString('base64') };
    }
    if (operation !== 'Decrypt') throw new Refused('UnknownOperationException');
    const bytes = Buffer.from(CiphertextBlob, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12), {
        authTagLength: 16,
      })
        .setAAD(context)
        .setAuthTag(bytes.subarray(-16));
      const plain = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
      return { KeyId, Plaintext: plain.toString('base64') };
    } catch {
      throw new Refused('InvalidCiphertextException');
    }
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
