import { requiredText } from '#shared/values.ts';

/** What clients bring back from a provider, as they send it. */

/** Microsoft's codes have two thousand characters, and may grow. */
export const authorizationCode = requiredText(8_000);

/** Also of an issuer. */
export const authorizationState = requiredText(2_000);
