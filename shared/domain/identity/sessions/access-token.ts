import * as z from 'zod';
import { requiredText } from '#shared/values.ts';
import { shownAccessToken, shownRefreshToken } from './session.ts';

/** What POST /access_tokens takes and returns (docs/specification/sign-in.md, "Refresh tokens"). */

/** Longer than any token, so that all that is none is refused alike. */
const LONGEST = 1_000;

export const refreshTokenDraft = requiredText(LONGEST).meta({ example: shownRefreshToken }).optional();

export const accessTokenResponse = {
  access_token: z.string().meta({ example: shownAccessToken }),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ example: 900 }),
  refresh_token: z.string().meta({ example: shownRefreshToken }).optional(),
};
