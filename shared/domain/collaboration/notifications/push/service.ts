import type { Config } from '#shared/config.ts';
import type { Platform } from '#shared/domain/identity/device-tokens/device-token.ts';
import type { Message } from '../sending/message.ts';

/** What the domain requires of push services. */

/** Seconds for which a push service keeps a message while the device is not reachable. */
export const KEPT_SECONDS = 24 * 3_600;

export interface PushService {
  /**
   * `gone` when the service no longer knows the device. Throws PushRefused when it will never take the message, and any
   * other error when it may do so later.
   */
  send(token: string, message: Message, signal: AbortSignal): Promise<'sent' | 'gone'>;
}

export class PushRefused extends Error {
  override name = 'PushRefused';
}

export interface SendsPushes {
  /** The services that the deployment has keys for. */
  push_services: (config: Config) => {
    [Name in Platform]?: PushService | undefined;
  };
}
