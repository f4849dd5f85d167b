/**
 * The error catalogue: every code of the service, with its HTTP status, its message and how to fix it. A code always
 * has the same status (docs/specification/requests.md, "Errors"). `message` may be reworded, `code` never changes.
 */
interface ErrorEntry {
  status: number;
  message: string;
  fix: string;
}

/** Nothing was created, and nothing used up. */
const SAME_AGAIN = 'Send the same request again, with the same code or signup token.';

export const errorCatalogue = {
  invalid_request: {
    status: 400,
    message: 'The request has missing, malformed or out-of-range parameters.',
    fix: 'Read error.fields: it names each bad field with its first problem. Without fields, the body is not a JSON object.',
  },
  invalid_cursor: {
    status: 400,
    message: 'The cursor cannot be read, has expired or belongs to another list.',
    fix: 'Request the first page again without a cursor, and keep filters and order unchanged while paging.',
  },
  unsupported_cursor_direction: {
    status: 400,
    message: 'This list pages forward only.',
    fix: 'Leave prev_cursor out and follow next_cursor.',
  },
  unsupported_provider: {
    status: 400,
    message: 'The service is not set up for this provider.',
    fix: 'Ask the operator to set the provider up. Meanwhile, sign in with an email address and a one-time code, and connect a mailbox as imap.',
  },
  invalid_email_address: {
    status: 400,
    message: 'Nobody can sign up with this email address.',
    fix: 'Send an address as mail programs write it, the one that the code was mailed to or that the provider has verified.',
  },
  invalid_signup_token: {
    status: 400,
    message: 'The signup token is not right, was used, has expired or is of another email address.',
    fix: 'Send the token of the last invitation as it was received, with the address that was invited.',
  },
  invalid_credentials: {
    status: 401,
    message: 'These credentials are not right, or no longer.',
    fix: 'Ask for a new code with POST /sessions/one_time_codes, and send it with the same address. With a provider, begin again.',
  },
  invalid_refresh_token: {
    status: 401,
    message: 'This is no refresh token of the service.',
    fix: 'Send the refresh token as it was received, or sign in again.',
  },
  expired_refresh_token: {
    status: 401,
    message: 'The refresh token has expired.',
    fix: 'Sign in again.',
  },
  token_revoked: {
    status: 401,
    message: 'The session of this refresh token has ended, or its user or account no longer has access.',
    fix: 'Sign in again.',
  },
  token_theft_detected: {
    status: 401,
    message: 'The refresh token was used before, so somebody else may have it. The session has ended.',
    fix: 'Sign in again. A refresh token works once: keep the one of each response.',
  },
  unauthorized: {
    status: 401,
    message: 'A valid API key or access token is needed.',
    fix: 'Send "Authorization: Bearer <key>" with a key that is neither revoked nor expired.',
  },
  api_key_insufficient: {
    status: 403,
    message: 'This operation does not accept this kind of key.',
    fix: 'Use a read_write key for writes; operations marked "session" accept no API key at all.',
  },
  api_access_disabled: {
    status: 403,
    message: 'API access is turned off for this account.',
    fix: 'Ask an account admin to turn API access on.',
  },
  api_access_read_only: {
    status: 403,
    message: 'API access is read-only for this account.',
    fix: 'Ask an account admin to allow writes, or use read operations only.',
  },
  documents_required: {
    status: 400,
    message: 'No document is named.',
    fix: 'Send documents with the slug and the version of each document of GET /terms_assents; to sign up, of each that the sign-up page shows.',
  },
  unknown_document: {
    status: 400,
    message: 'There is no such document, or not in this version.',
    fix: 'Read GET /terms_assents for the current documents, and show them again.',
  },
  incomplete_acceptance: {
    status: 400,
    message: 'A required document is missing.',
    fix: 'Accept every required document of GET /terms_assents together.',
  },
  invalid_acceptance_method: {
    status: 400,
    message: 'The terms cannot be accepted in this way.',
    fix: 'Send the method clickwrap, once the user has agreed to the documents shown.',
  },
  terms_acceptance_required: {
    status: 403,
    message: "The key's user must accept the current terms.",
    fix: 'Sign in to the app as that user and accept the terms.',
  },
  card_declined: {
    status: 402,
    message: 'The card was declined.',
    fix: 'Use another card, or ask the bank that issued it.',
  },
  subscription_failed: {
    status: 402,
    message: 'The payment provider refused the subscription.',
    fix: 'Tell the operator of the service: there is no account, and nothing is charged.',
  },
  permission_denied: {
    status: 403,
    message: 'You can see this record but may not do this.',
    fix: 'Ask the owner of the record or an account admin.',
  },
  invitation_required: {
    status: 403,
    message: 'Nobody has an account with this address, and signing up needs an invitation.',
    fix: 'Ask an admin of an account to invite the address, or join the waitlist with POST /waitlistees.',
  },
  work_account_required: {
    status: 403,
    message: 'This service is for work accounts: addresses of public mail services cannot sign up.',
    fix: 'Sign up with the email address of your company or organization.',
  },
  forbidden: {
    status: 403,
    message: "Only an account admin may revoke another user's key.",
    fix: 'Ask an account admin to revoke the key.',
  },
  record_not_found: {
    status: 404,
    message: 'There is no such record, or it is not visible to you.',
    fix: 'Check the id, and that the user of the key can see the record.',
  },
  not_found: {
    status: 404,
    message: 'There is no operation at this path.',
    fix: 'Compare the path with GET /openapi.json.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not accept this method.',
    fix: 'Use one of the methods named in the Allow header.',
  },
  not_acceptable: {
    status: 406,
    message: 'The Accept header excludes application/json.',
    fix: 'Leave Accept out or let it allow application/json.',
  },
  tag_name_taken: {
    status: 409,
    message: 'Another tag in this account has that name.',
    fix: 'Choose another name, or apply the existing tag by name.',
  },
  group_name_taken: {
    status: 409,
    message: 'Another group in this account has that name.',
    fix: 'Choose another name, or use the existing group.',
  },
  pipeline_name_taken: {
    status: 409,
    message: 'Another pipeline in this account has that name.',
    fix: 'Choose another name, or use the existing pipeline.',
  },
  stage_name_taken: {
    status: 409,
    message: 'Another stage of this pipeline has that name.',
    fix: 'Choose another name, or use the existing stage.',
  },
  pipeline_has_deals: {
    status: 422,
    message: 'The pipeline has deals, open or closed.',
    fix: 'Move its deals to another pipeline or delete them first.',
  },
  pipeline_is_last: {
    status: 422,
    message: 'The account has no other pipeline.',
    fix: 'Create another pipeline first, or rename this one.',
  },
  custom_field_indexing: {
    status: 422,
    message: 'The records from before the custom field was indexed are still being indexed.',
    fix: 'Try again in some minutes: the status of the field becomes ready.',
  },
  stage_has_deals: {
    status: 422,
    message: 'The stage has deals.',
    fix: 'Send replacement_stage_id, the stage that gets them, or move them first.',
  },
  stage_is_last_open: {
    status: 422,
    message: 'The pipeline has no other open stage.',
    fix: 'Create another stage of the kind open first: deals begin there.',
  },
  space_is_tag_based: {
    status: 422,
    message: 'The space is made of tags.',
    fix: 'Tag the record with a tag of the space, or use a space of the kind records.',
  },
  idempotency_key_in_use: {
    status: 409,
    message: 'An earlier request with the same Idempotency-Key is still running.',
    fix: 'Wait a moment and send the request again with the same key: it gets the response of the first one.',
  },
  duplicate_refresh_attempted: {
    status: 409,
    message: 'The refresh token was exchanged a moment ago.',
    fix: 'Use the tokens of the first response. Refresh in one place at a time; with the cookie, try again.',
  },
  email_address_in_use: {
    status: 409,
    message: 'Another user of the service has that email address.',
    fix: 'Use another address: a person is a user of one account.',
  },
  identity_already_linked: {
    status: 409,
    message: 'Somebody signs in to another account with this identity of the provider.',
    fix: 'Sign in with POST /sessions, or choose another account at the provider.',
  },
  email_address_taken: {
    status: 409,
    message: 'Another contact already has that email address.',
    fix: 'Use the existing contact, or another address.',
  },
  domain_taken: {
    status: 409,
    message: 'Another organization already has that domain.',
    fix: 'Use the existing organization, or another domain.',
  },
  external_id_taken: {
    status: 409,
    message: 'Another record of this type already has that external_id.',
    fix: 'The record was created before: find it instead of creating it again, or send another external_id.',
  },
  custom_field_key_taken: {
    status: 409,
    message: 'Another custom field of this record type already has that key.',
    fix: 'Change the existing field, or send another key.',
  },
  custom_field_taken: {
    status: 409,
    message: 'Another record of this type already has that value of a unique custom field.',
    fix: 'Send another value: error.fields names the field. The other record may be one that the user does not see.',
  },
  merge_in_progress: {
    status: 409,
    message:
      'What belongs to the contact is still moving: a merge, taking one back, or a return after a deletion is under way.',
    fix: 'Repeat the request after Retry-After seconds.',
  },
  merge_is_final: {
    status: 422,
    message: 'The merge can no longer be taken back.',
    fix: 'Take a merge back within 7 days. Later, create the other contact again and move to it what is its own.',
  },
  later_merge_first: {
    status: 422,
    message: 'Another merge into the contact came later, or that contact was merged into another one first.',
    fix: 'Take the later merges back first: the last one first, by the ids in merged_ids of the contact.',
  },
  proposal_already_answered: {
    status: 409,
    message: 'The proposal was accepted, rejected or has expired.',
    fix: 'Retrieve the proposal: its status tells the outcome.',
  },
  share_request_already_answered: {
    status: 409,
    message: 'The request for access was approved, denied or withdrawn.',
    fix: 'Retrieve the share request: its status tells the outcome.',
  },
  already_shared: {
    status: 409,
    message: 'The user sees this thread or event already.',
    fix: 'Retrieve it: there is nothing to ask for.',
  },
  proposal_stale: {
    status: 409,
    message: 'The record has changed since the proposal.',
    fix: 'Retrieve the proposal, which now shows the current record, and accept it again if it still fits.',
  },
  proposal_not_undoable: {
    status: 422,
    message: 'The proposal cannot be undone, or can no longer be undone.',
    fix: 'Undo within 7 days of applying, before the record changes again; otherwise change the record.',
  },
  mailbox_already_connected: {
    status: 409,
    message: 'A mailbox of the account with this address is connected already.',
    fix: 'Use that mailbox: GET /mailboxes lists those that you may read. Its owner shares it: POST /mailboxes/{mailbox_id}/shares.',
  },
  mailbox_locked: {
    status: 422,
    message: 'The mailbox is locked: its server refuses the service.',
    fix: 'Its owner sends a password that works: PATCH /mailboxes/{id}/credentials.',
  },
  provider_failed: {
    status: 502,
    message: 'The server of the mailbox does not answer as it should.',
    fix: 'Try again later.',
  },
  calendar_read_only: {
    status: 422,
    message: 'The calendar is read-only.',
    fix: 'Create the event in another calendar, or change it where the calendar is kept.',
  },
  calendar_too_large: {
    status: 422,
    message: 'The calendar, or the series, is larger than one response.',
    fix: 'Send POST /exports with the record type calendar_events, the format ics and a filter of the calendar_id.',
  },
  no_transcript: {
    status: 404,
    message: 'The meeting has no transcript.',
    fix: 'Read has_transcript of the event first; POST a transcript to add one.',
  },
  mailbox_not_connected: {
    status: 422,
    message: 'No mail comes into a mailbox of yours yet.',
    fix: 'Import an archive first: POST /uploads, then POST /mailboxes/{mailbox_id}/imports.',
  },
  draft_not_editable: {
    status: 422,
    message: 'The draft is queued, is being sent or was sent.',
    fix: 'Take a queued draft back with DELETE /drafts/{draft_id}/send first.',
  },
  draft_not_cancellable: {
    status: 422,
    message: 'The draft is not queued: it is being sent, was sent, or was not to be sent.',
    fix: 'Read its status. Nobody can take back what is being sent.',
  },
  draft_has_no_recipients: {
    status: 422,
    message: 'The draft is to nobody.',
    fix: 'Add an address to to_email_addresses, cc_email_addresses or bcc_email_addresses.',
  },
  draft_already_queued: {
    status: 409,
    message: 'The draft is sent already, or is about to be.',
    fix: 'Read its status: it is sent once.',
  },
  outbound_disabled: {
    status: 422,
    message: 'The mailbox cannot send mail.',
    fix: 'Read outbound_enabled of the mailbox first, and connect it with a server that sends.',
  },
  share_is_inherited: {
    status: 422,
    message: 'The share belongs to another record, such as a mailbox.',
    fix: 'Change or end the share on that record.',
  },
  upload_already_used: {
    status: 409,
    message: 'This upload was already used.',
    fix: 'Create a new upload for a further file or import.',
  },
  precondition_failed: {
    status: 412,
    message: 'The record has changed since you read it.',
    fix: 'Retrieve the record, repeat your change on what it is now, and send its new ETag in If-Match.',
  },
  payload_too_large: {
    status: 413,
    message: 'The request body is larger than 5 MB.',
    fix: 'Send at most 5,242,880 bytes, and 6,291,456 counting each quotation mark, backslash and line end twice; send files through POST /uploads.',
  },
  file_too_large: {
    status: 413,
    message: 'The file is larger than an upload may be.',
    fix: 'Files may have up to 100 MB, files of records 500 MB, mail archives 5 GB.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'The Content-Type must be application/json.',
    fix: 'Send "Content-Type: application/json", and the body as it is or with the Content-Encoding gzip or deflate.',
  },
  assistant_unavailable: {
    status: 422,
    message: 'The assistant does not answer you here.',
    fix: 'Read capabilities.ask_assistant of GET /users/me: it is true when the account has the assistant on, you have not opted out, and the service has a model to ask.',
  },
  mail_unavailable: {
    status: 422,
    message: 'The service sends no mail here.',
    fix: 'Ask the operator of the service to set how it sends mail: docs/operations.md, "Mail that the service sends".',
  },
  file_is_attachment: {
    status: 422,
    message: 'The file belongs to a message.',
    fix: 'It stays as long as a message has it. Delete uploaded files only.',
  },
  file_unreadable: {
    status: 422,
    message:
      'The file cannot be imported: its beginning is neither a table, nor a vCard or a calendar that fits the record type.',
    fix: 'Send a CSV file with the names of its columns in the first line, in UTF-8, a file of vCards for contacts, or an .ics file for calendar_events; name the format when the file has another ending.',
  },
  import_not_ready: {
    status: 422,
    message: 'This import cannot be applied.',
    fix: 'Apply a dry run when its status is complete or failed, once. What has been applied is imported again from a new upload.',
  },
  last_owner: {
    status: 422,
    message: 'The account would be without an owner.',
    fix: 'Make another active user an owner first.',
  },
  upload_incomplete: {
    status: 422,
    message: 'The bytes of this upload have not arrived.',
    fix: 'PUT the file to the URL of the upload first, in its full size.',
  },
  headers_too_large: {
    status: 431,
    message: 'The request line and the headers are larger than 10 KB.',
    fix: 'Send at most 10,240 bytes of them: fewer cookies, or a shorter query.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests.',
    fix: 'Wait the number of seconds given by Retry-After.',
  },
  error: {
    status: 500,
    message: 'Something failed inside the service.',
    fix: 'Try again later. If it keeps failing, give support the X-Request-Id.',
  },
  could_not_save_access_token: {
    status: 500,
    message: 'The new access token could not be saved. What the request was sent with still works.',
    fix: 'Send the same request again: the same refresh token, or to sign up the same code.',
  },
  could_not_save_refresh_token: {
    status: 500,
    message: 'The new refresh token could not be saved.',
    fix: 'Send the same refresh token again at once; sign in again when it is refused.',
  },
  account_creation_failed: {
    status: 500,
    message: 'The account could not be saved. Nothing was created.',
    fix: SAME_AGAIN,
  },
  user_creation_failed: {
    status: 500,
    message: 'The owner of the account could not be saved. Nothing was created.',
    fix: SAME_AGAIN,
  },
  owner_assignment_failed: {
    status: 500,
    message: 'The account could not be given its owner. Nothing was created.',
    fix: SAME_AGAIN,
  },
  mailbox_creation_failed: {
    status: 500,
    message: 'The mailbox of the owner could not be saved. Nothing was created.',
    fix: SAME_AGAIN,
  },
  session_creation_failed: {
    status: 500,
    message: 'The session could not be saved. Nothing was created.',
    fix: SAME_AGAIN,
  },
  comment_creation_failed: {
    status: 500,
    message: 'The comment could not be saved.',
    fix: 'List the comments of the record to see whether it was created before you try again.',
  },
  billing_unavailable: {
    status: 502,
    message: 'The billing details could not be read.',
    fix: 'Try again later; nothing was changed.',
  },
  could_not_create_payments_account: {
    status: 502,
    message: 'The payment provider made no customer for the account.',
    fix: 'Try again later; there is no account, and nothing is charged.',
  },
  payments_account_creation_failed: {
    status: 502,
    message: 'The payment provider made no subscription for the account.',
    fix: 'Try again later; there is no account, and nothing is charged.',
  },
  setup_intent_creation_failed: {
    status: 502,
    message: 'The payment provider takes no card now, or nobody pays for this account.',
    fix: 'Try again later. While billing.provider of GET /accounts/{id} is none, there is nothing to pay.',
  },
  payment_method_attach_failed: {
    status: 502,
    message: 'The payment provider does not give this payment method to the account.',
    fix: 'Begin again with POST /accounts/credit_cards, and send the payment method of that setup. The card is as before.',
  },
  customer_update_failed: {
    status: 502,
    message: 'The payment provider did not take the card, or nobody pays for this account.',
    fix: 'Try again. While billing.provider of GET /accounts/{id} is none, there is nothing to pay.',
  },
  subscription_update_failed: {
    status: 502,
    message: 'The card was saved, but the subscription was not changed.',
    fix: 'Send the request again, or try another card.',
  },
  recovery_request_failed: {
    status: 502,
    message: 'The card was saved, but what is overdue could not be paid with it.',
    fix: 'Send the request again, or try another card.',
  },
  could_not_mark_as_closed: {
    status: 502,
    message: 'The account could not be closed.',
    fix: 'Try again later; nothing was changed.',
  },
  operation_failed: {
    status: 502,
    message: 'The change could not be carried out.',
    fix: 'Read the record to see whether it was changed before you try again.',
  },
  storage_unavailable: {
    status: 502,
    message: 'The file storage did not respond.',
    fix: 'Try again later.',
  },
  provider_lookup_unavailable: {
    status: 503,
    message: 'The provider to sign in with did not respond as expected.',
    fix: 'Try again in a minute. If it lasts, the operator finds the reason in the log.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service cannot read its data.',
    fix: 'Try again in a minute. The status of the service is at GET /health.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** docs/specification/requests.md, "Errors". */
export const fieldCodes = [
  'required',
  'invalid_format',
  'too_long',
  'too_short',
  'taken',
  'not_allowed',
  'invalid',
] as const;

export type FieldCode = (typeof fieldCodes)[number];

export interface FieldError {
  code: FieldCode;
  message: string;
}

export type FieldErrors = Record<string, FieldError>;

interface ErrorDetails {
  message?: string;
  fields?: FieldErrors;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A documented failure. Any other error becomes 500 `error`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly headers: Record<string, string>;

  /**
   * `message` says more than the catalogue's, and is sent to the client. `cause` is logged when the status is 500 or more,
   * never sent.
   */
  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const { message = errorCatalogue[code].message, cause } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.code = code;
    this.fields = details.fields;
    // RFC 9110, 15.5.2.
    this.headers =
      this.status === 401 ? { 'WWW-Authenticate': 'Bearer', ...details.headers } : (details.headers ?? {});
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  /**
   * The meaning for the domain, which knows no HTTP: not allowed, not found, not possible in this state, or a fault of
   * the service.
   */
  get meaning(): 'denied' | 'missing' | 'impossible' | 'fault' | 'other' {
    if (this.status >= 500) return 'fault';
    return meanings[this.status] ?? 'other';
  }
}

const meanings: Record<number, 'denied' | 'missing' | 'impossible'> = {
  403: 'denied',
  404: 'missing',
  422: 'impossible',
};

/** A 400 `invalid_request` about one field. */
export function invalidField(name: string, code: FieldCode, message: string): ApiError {
  return new ApiError('invalid_request', { fields: { [name]: { code, message } } });
}

export function recordNotFound(): ApiError {
  return new ApiError('record_not_found');
}

/** `seconds` until a retry can succeed; `message` names the limit. */
export function rateLimited(seconds: number, message: string): ApiError {
  return new ApiError('rate_limited', {
    message,
    headers: { 'Retry-After': String(Math.max(1, seconds)) },
  });
}
