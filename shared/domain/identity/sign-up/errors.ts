import type { ErrorCode } from '#shared/errors.ts';

/** What signing up can fail with (docs/specification/sign-in.md, "Signing up"). */
export const signUpErrors = [
  'account_creation_failed',
  'card_declined',
  'could_not_create_payments_account',
  'could_not_save_access_token',
  'could_not_save_refresh_token',
  'documents_required',
  'email_address_in_use',
  'identity_already_linked',
  'incomplete_acceptance',
  'invalid_acceptance_method',
  'invalid_credentials',
  'invalid_email_address',
  'invalid_signup_token',
  'invitation_required',
  'mailbox_creation_failed',
  'owner_assignment_failed',
  'payments_account_creation_failed',
  'provider_lookup_unavailable',
  'session_creation_failed',
  'subscription_failed',
  'unknown_document',
  'unsupported_provider',
  'user_creation_failed',
  'work_account_required',
] as const satisfies ErrorCode[];
