import type { ErrorCode } from '#shared/errors.ts';

/** A request that fails, in the words of HTTP, and what it is sent with or to. */
export interface ErrorExample {
  request: string;
  body?: string;
  /** What must be the case; missing when the request alone shows it. */
  when?: string;
  /** What the service says of this request, where the catalogue says less. */
  message?: string;
}

const ID = '0198c0de-0000-7000-8000-000000000001';
const TAG = '{"tag": {"name": "Renewal"}}';
const NOTE = '{"comment": {"html_content": "<p>Pier 4 is free.</p>"}}';
const SIGN_IN = '{"session": {"email_address": "lin@acme.example", "one_time_code": "123456"}}';
const SIGN_UP =
  '{"account": {"name": "Acme", "email_address": "ada@acme.example", "one_time_code": "123456"}}';
const MAILBOX =
  '{"mailbox": {"provider": "imap", "email_address": "ada@acme.example", "imap": {"host": "imap.acme.example", "port": 993, "tls": true, "username": "ada", "password": "xkcd-936"}}}';
const TOKEN = '{"refresh_token": "wsk_refresh_..."}';
const UNMERGE = '{"contact_id_to_unmerge": "0198c0de-0000-7000-8000-000000000002"}';
const CARD = '{"credit_card": {"payment_method_id": "pm_1PxQ9dLkdIwHu7ix"}}';

const ASSENT =
  '{"terms_assent": {"documents": [{"slug": "terms-of-service", "version": "2025-01"}], "method": "clickwrap"}}';

/** Requests like any other, which fail for a reason outside of them. */
function signingUpFails<Code extends ErrorCode>(reasons: Record<Code, string>): Record<Code, ErrorExample> {
  const examples = Object.entries<string>(reasons).map(([code, when]) => [
    code,
    { request: 'POST /accounts', body: SIGN_UP, when },
  ]);
  return Object.fromEntries(examples);
}

export const errorExamples: Record<ErrorCode, ErrorExample> = {
  invalid_request: { request: 'POST /tags', body: '{"tag": {"name": ""}}' },
  invalid_cursor: { request: 'GET /threads?next_cursor=abc' },
  unsupported_cursor_direction: { request: 'GET /threads?prev_cursor=q1mPbTtDYwZo3kX8VnS4lA' },
  unsupported_provider: {
    request: 'POST /sessions',
    body: '{"session": {"provider": "google", "authorization_code": "4/0AX"}}',
    when: 'where signing in with Google is not set up',
  },
  invalid_credentials: { request: 'POST /sessions', body: SIGN_IN, when: 'with a code that was not sent' },
  invalid_email_address: { request: 'POST /accounts', body: SIGN_UP.replace('@', '@@') },
  invalid_signup_token: {
    request: 'POST /accounts',
    body: SIGN_UP.replace('}}', ', "signup_token": "wsk_signup_..."}}'),
    when: 'with the token of another invitation',
  },
  work_account_required: {
    request: 'POST /accounts',
    body: SIGN_UP.replace('acme.example', 'gmail.com'),
    when: 'where only work accounts sign up',
  },
  identity_already_linked: {
    request: 'POST /accounts',
    body: '{"account": {"name": "Acme", "provider": "google", "authorization_code": "4/0AX", "state": "hV3m..."}}',
    when: 'with the Google account of a user',
  },
  ...signingUpFails({
    account_creation_failed: 'while the table does not take the account',
    user_creation_failed: 'while the table does not take the owner',
    owner_assignment_failed: 'which does not happen: the account and its owner are saved together',
    mailbox_creation_failed: 'while the table does not take the mailbox',
    session_creation_failed: 'while the table does not take the session',
    card_declined: 'where the service is paid for, with a card that the bank refuses',
    subscription_failed: 'where the service is paid for, and the first payment fails',
    could_not_create_payments_account: 'while the payment provider does not respond',
    payments_account_creation_failed: 'while the payment provider does not show what it has made',
  }),
  invalid_refresh_token: { request: 'POST /access_tokens', body: TOKEN },
  expired_refresh_token: {
    request: 'POST /access_tokens',
    body: TOKEN,
    when: 'with a token that is more than 30 days old',
  },
  token_revoked: { request: 'POST /access_tokens', body: TOKEN, when: 'after the user has signed out' },
  token_theft_detected: {
    request: 'POST /access_tokens',
    body: TOKEN,
    when: 'with a token that was exchanged a minute ago',
  },
  duplicate_refresh_attempted: { request: 'POST /access_tokens', body: TOKEN, when: 'sent twice at once' },
  invitation_required: {
    request: 'POST /sessions',
    body: SIGN_IN,
    when: 'for an address without an account, where signing up needs an invitation',
  },
  email_address_in_use: {
    request: 'npm run admin -- add-user',
    when: 'with the address of another user',
  },
  could_not_save_access_token: {
    request: 'POST /access_tokens',
    body: TOKEN,
    when: 'while the table does not take the access token',
  },
  could_not_save_refresh_token: {
    request: 'POST /access_tokens',
    body: TOKEN,
    when: 'while the table does not take the new refresh token',
  },
  mailbox_not_connected: {
    request: `PATCH /accounts/${ID}/initialize`,
    when: 'before any mail was imported',
  },
  outbound_disabled: {
    request: `PATCH /accounts/${ID}/initialize`,
    when: 'which does not happen: no mailbox has a mail server yet',
  },
  unauthorized: {
    request: 'GET /threads',
    when: 'without the header `Authorization`',
    message: 'The request has no key. Send one as the header "Authorization: Bearer <key>".',
  },
  api_key_insufficient: { request: 'POST /tags', body: TAG, when: 'with a key that may only read' },
  api_access_disabled: { request: 'GET /threads', when: 'in an account that has turned API access off' },
  api_access_read_only: {
    request: 'POST /tags',
    body: TAG,
    when: 'in an account whose API access is read-only',
  },
  documents_required: { request: 'POST /terms_assents', body: '{"terms_assent": {"method": "clickwrap"}}' },
  unknown_document: { request: 'POST /terms_assents', body: ASSENT, when: 'when another version is current' },
  incomplete_acceptance: {
    request: 'POST /terms_assents',
    body: ASSENT,
    when: 'while another document is required',
  },
  invalid_acceptance_method: {
    request: 'POST /terms_assents',
    body: ASSENT.replace('clickwrap', 'browsewrap'),
    when: 'where the document is there to be accepted',
  },
  terms_acceptance_required: { request: 'GET /threads', when: 'as a user who has not accepted the terms' },
  permission_denied: { request: `DELETE /groups/${ID}`, when: 'as a member who did not create the group' },
  forbidden: { request: `DELETE /api_keys/${ID}`, when: 'for the key of somebody else' },
  record_not_found: { request: 'GET /threads/00000000-0000-7000-8000-000000000000' },
  not_found: { request: 'GET /thread' },
  method_not_allowed: { request: 'PUT /tags' },
  not_acceptable: { request: 'GET /tags', when: 'with `Accept: text/csv`' },
  tag_name_taken: { request: 'POST /tags', body: TAG, when: 'sent twice' },
  mailbox_already_connected: { request: 'POST /mailboxes', body: MAILBOX, when: 'sent twice' },
  group_name_taken: {
    request: 'POST /groups',
    body: '{"group": {"name": "Berth office"}}',
    when: 'sent twice',
  },
  pipeline_name_taken: {
    request: 'POST /pipelines',
    body: '{"pipeline": {"name": "Pilot projects"}}',
    when: 'sent twice',
  },
  stage_name_taken: {
    request: `POST /pipelines/${ID}/stages`,
    body: '{"stage": {"name": "Demo given"}}',
    when: 'sent twice',
  },
  pipeline_has_deals: { request: `DELETE /pipelines/${ID}`, when: 'while a deal is in it' },
  pipeline_is_last: { request: `DELETE /pipelines/${ID}`, when: 'for the only pipeline of the account' },
  stage_has_deals: {
    request: `DELETE /pipelines/${ID}/stages/${ID}`,
    when: 'while a deal is in it, without `replacement_stage_id`',
  },
  stage_is_last_open: {
    request: `PATCH /pipelines/${ID}/stages/${ID}`,
    body: '{"stage": {"kind": "won"}}',
    when: 'for the only open stage of the pipeline',
  },
  space_is_tag_based: {
    request: `POST /spaces/${ID}/memberships`,
    body: `{"contact_id": "${ID}"}`,
    when: 'for a space of the kind `tags`',
  },
  idempotency_key_in_use: {
    request: 'POST /groups',
    body: '{"group": {"name": "Berth office"}}',
    when: 'sent twice at the same time with the same `Idempotency-Key`',
  },
  precondition_failed: {
    request: `PATCH /deals/${ID}`,
    body: '{"deal": {"amount": 14000}}',
    when: 'with the `If-Match` of an earlier version',
  },
  email_address_taken: {
    request: 'POST /contacts',
    body: '{"contact": {"email_addresses": [{"email_address": "ada@acme.example"}]}}',
    when: 'sent twice',
  },
  domain_taken: {
    request: 'POST /organizations',
    body: '{"organization": {"name": "Acme", "domains": ["acme.example"]}}',
    when: 'sent twice',
  },
  external_id_taken: {
    request: 'POST /contacts',
    body: '{"contact": {"first_name": "Ada", "external_id": "crm-1024"}}',
    when: 'sent twice',
  },
  custom_field_key_taken: {
    request: 'POST /custom_fields',
    body: '{"custom_field": {"record_type": "contacts", "key": "region", "name": "Region", "type": "text"}}',
    when: 'sent twice',
  },
  custom_field_taken: {
    request: 'POST /contacts',
    body: '{"contact": {"first_name": "Ada", "custom_fields": {"customer_number": "A-1024"}}}',
    when: 'sent twice, with customer_number as a unique field',
  },
  custom_field_indexing: {
    request: 'GET /contacts?custom_fields[region]=emea',
    when: 'in the minutes after the field was indexed',
  },
  merge_in_progress: {
    request: `POST /contacts/${ID}/unmerge`,
    body: UNMERGE,
    when: 'right after the merge',
  },
  merge_is_final: { request: `POST /contacts/${ID}/unmerge`, body: UNMERGE, when: 'a month after the merge' },
  later_merge_first: {
    request: `POST /contacts/${ID}/unmerge`,
    body: UNMERGE,
    when: 'after a third contact was merged into the same one',
  },
  share_request_already_answered: {
    request: `POST /share_requests/${ID}/deny`,
    when: 'after it was approved',
  },
  already_shared: {
    request: 'POST /share_requests',
    body: `{"share_request": {"record_type": "thread", "record_id": "${ID}"}}`,
    when: 'about a thread that the user sees',
  },
  proposal_already_answered: { request: `POST /proposals/${ID}/reject`, when: 'after it was accepted' },
  proposal_stale: { request: `POST /proposals/${ID}/accept`, when: 'after somebody changed the contact' },
  proposal_not_undoable: { request: `POST /proposals/${ID}/undo`, when: 'a month after it was accepted' },
  calendar_too_large: { request: `GET /calendars/${ID}/ics`, when: 'with more than 6 MB of events' },
  draft_not_editable: {
    request: `PATCH /drafts/${ID}`,
    body: '{"draft": {"subject": "Winter timetable"}}',
    when: 'while it is being sent',
  },
  draft_not_cancellable: { request: `DELETE /drafts/${ID}/send`, when: 'while it is being sent' },
  draft_has_no_recipients: { request: `POST /drafts/${ID}/send`, body: '{}', when: 'for a draft to nobody' },
  draft_already_queued: { request: `POST /drafts/${ID}/send`, body: '{}', when: 'sent twice' },
  mailbox_locked: {
    request: `POST /mailboxes/${ID}/sync`,
    body: '{}',
    when: 'of a mailbox whose server refuses the password',
  },
  provider_failed: {
    request: `PATCH /mailboxes/${ID}/credentials`,
    body: `{"mailbox": {"caldav": {"url": "https://caldav.acme.example/", "username": "ada", "password": "xkcd-936-app-password"}}}`,
    when: 'while the server does not answer',
  },
  calendar_read_only: {
    request: 'POST /calendar_events',
    body: `{"calendar_event": {"calendar_id": "${ID}", "name": "Ferry timetable", "starts_at": "2026-11-23T09:00:00Z", "ends_at": "2026-11-23T10:00:00Z"}}`,
    when: 'in a calendar that is kept elsewhere',
  },
  no_transcript: {
    request: `GET /calendar_events/${ID}/transcript`,
    when: 'for a meeting that nobody recorded',
  },
  share_is_inherited: {
    request: `DELETE /threads/${ID}/shares/${ID}`,
    when: 'for a share of the mailbox that the thread is in',
  },
  mail_unavailable: {
    request: 'POST /sessions/one_time_codes',
    body: '{"email_address": "ada@acme.example"}',
    when: 'where the service has no way to send mail',
  },
  file_is_attachment: { request: `DELETE /files/${ID}`, when: 'for a file that came with mail' },
  upload_already_used: {
    request: `POST /mailboxes/${ID}/imports`,
    body: `{"import": {"upload_id": "${ID}"}}`,
    when: 'sent twice',
  },
  payload_too_large: { request: 'POST /tags', when: 'with a body of 6 MB' },
  file_too_large: {
    request: 'POST /uploads',
    body: '{"upload": {"file_name": "film.mp4", "content_type": "video/mp4", "size": 1000000000}}',
    message: 'A file of this type may have 100 MB at most.',
  },
  unsupported_media_type: { request: 'POST /tags', when: 'with `Content-Type: text/plain`' },
  assistant_unavailable: {
    request: `POST /conversations/${ID}/messages`,
    body: '{"message": {"text": "Who is Priya?"}}',
    when: 'in an account that has turned the assistant off',
  },
  file_unreadable: {
    request: 'POST /imports',
    body: `{"import": {"upload_id": "${ID}", "record_type": "contacts"}}`,
    when: 'with the upload of a photo',
  },
  import_not_ready: { request: `POST /imports/${ID}/apply`, when: 'while the dry run is running' },
  upload_incomplete: {
    request: `POST /mailboxes/${ID}/imports`,
    body: `{"import": {"upload_id": "${ID}"}}`,
    when: 'before the file was sent to the URL of the upload',
  },
  headers_too_large: { request: 'GET /tags', when: 'with 11 kB of cookies' },
  rate_limited: {
    request: 'GET /threads',
    when: 'for the 601st time in a minute',
    message: 'The limit is 600 requests in a minute for a key.',
  },
  error: { request: 'GET /threads', when: 'while the database does not answer' },
  comment_creation_failed: {
    request: `POST /threads/${ID}/comments`,
    body: NOTE,
    when: 'while the database does not answer',
  },
  operation_failed: {
    request: `PATCH /calendars/${ID}`,
    body: '{"calendar": {"name": "Ferries"}}',
    when: 'while the database does not answer',
  },
  provider_lookup_unavailable: {
    request: 'POST /sessions/authorizations',
    body: '{"provider": "google", "redirect_url": "https://app.acme.example/signed-in"}',
    when: 'while the provider is down',
  },
  service_unavailable: { request: 'GET /health', when: 'while the database does not answer' },
  last_owner: {
    request: `PATCH /users/${ID}`,
    body: '{"user": {"role": "member"}}',
    when: 'for the only owner of the account',
  },
  billing_unavailable: { request: `GET /accounts/${ID}`, when: 'while the billing provider does not answer' },
  card_declined: { request: 'POST /accounts', when: 'when the payment provider declines the card' },
  subscription_failed: {
    request: 'POST /accounts',
    when: 'when the payment provider refuses its subscription',
  },
  could_not_create_payments_account: {
    request: 'POST /accounts',
    when: 'while the payment provider makes no customer',
  },
  payments_account_creation_failed: {
    request: 'POST /accounts',
    when: 'while the payment provider makes no subscription for its customer',
  },
  setup_intent_creation_failed: { request: 'POST /accounts/credit_cards', when: 'where nobody pays' },
  payment_method_attach_failed: {
    request: 'PATCH /accounts/credit_cards',
    body: CARD,
    when: 'with the payment method of another account',
  },
  customer_update_failed: { request: 'PATCH /accounts/credit_cards', body: CARD, when: 'where nobody pays' },
  subscription_update_failed: {
    request: 'PATCH /accounts/credit_cards',
    body: CARD,
    when: 'when a subscription that has ended does not begin again with the card',
  },
  recovery_request_failed: {
    request: 'PATCH /accounts/credit_cards',
    body: CARD,
    when: 'when the card does not pay what is overdue',
  },
  could_not_mark_as_closed: { request: `DELETE /accounts/${ID}`, when: 'while the table does not answer' },
  storage_unavailable: { request: `GET /threads/${ID}`, when: 'while the file storage does not answer' },
};
