import * as z from 'zod';
import { requiredText } from '#shared/values.ts';

/** What POST /access_tokens takes and returns (docs/specification/people.md, "Refresh tokens"). */

/** Longer than any token, so that all that is none is refused alike. */
const LONGEST = 1_000;

export const refreshTokenDraft = requiredText(LONGEST).optional();

export const accessTokenResponse = {
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_token: z.string().optional(),
};
