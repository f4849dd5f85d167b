import type { Descriptions } from './descriptions.ts';

/** Users, groups, API keys and shares (docs/specification/people.md). */
export const people: Descriptions = {
  User: {
    is: 'A person of the account.',
    fields: {
      user_id: 'The same as `id`.',
      name: 'The full name, as colleagues see it.',
      first_name: 'The given name; null when it is unknown.',
      last_name: 'The family name; null when it is unknown.',
      email_address: 'Where the user receives mail of the service.',
      avatar_url: 'A picture of the user, which needs no key; null without one.',
      role: 'What the user may administer: owners and admins manage the account, its users and its tags.',
      status: '`deactivated` users stay listed, but no longer have access.',
      time_zone: 'IANA time zone, by which days, weeks and snoozes of the user begin and end.',
      week_starts_on: 'The day on which the user’s weeks begin.',
      group_ids: 'The groups that the user is a member of.',
      primary_mailbox_id: 'The mailbox of the scope `personal`; null without one.',
      assistant_enabled: 'Whether the user wants answers of the assistant; null on other users.',
      notification_settings: 'By event: where its notifications are sent; null on other users.',
      notification_digest:
        'Whether mail about notifications comes at once (`none`) or once an hour; null on other users.',
      terms_accepted: 'False while the user has to accept the current terms in the app; null on other users.',
    },
  },
  UserDraft: {
    is: 'A person to invite.',
    fields: {
      name: 'The full name; without it the first part of the address, until the user says more.',
      email_address: 'Where the invitation is mailed, and with which the user signs in.',
      role: 'What the user may administer; only owners invite owners.',
      group_ids: 'The groups that the user is a member of from the beginning.',
    },
  },
  UserChanges: {
    is: 'Changes of a user: fields that are not sent stay. `role` and `status` need a session of an account admin.',
    fields: {
      status:
        '`deactivated`: keys and sessions end at once, and what the user owned goes to the owner of the account.',
      avatar_upload_id:
        'An upload of PNG, JPEG, GIF, WebP or AVIF, 1 MB at most, to be the picture; null for none.',
      primary_mailbox_id: 'The mailbox of the scope `personal`, one that the user reads; null for none.',
      assistant_enabled: 'Whether the user wants answers of the assistant.',
      notification_settings: 'By event: where its notifications are sent; `null` as when nothing was chosen.',
      notification_digest:
        '`none`: a mail for each notification that is sent by email. `hourly`: one for all of an hour.',
    },
  },
  DeleteUserRequest: {
    is: 'What happens with what the user owned.',
    fields: {
      replacement_user_id:
        'Another active user, who gets what the user owned; null for the owner of the account.',
    },
  },
  NotificationSettingChanges: { is: 'By event: where its notifications are sent from now on.' },
  NotificationSettingChange: {
    is: 'Where the notifications of one event are sent, besides the list; null as when nothing was chosen.',
    fields: { push: 'To the user’s devices.', email: 'To the user’s email address.' },
  },
  UserCapabilities: {
    is: 'What the user may do; null on other users.',
    fields: {
      ask_assistant: 'A mention of the assistant is answered.',
      manage_account: 'May change the settings of the account.',
      manage_users: 'May invite, change and deactivate users.',
      delete_tags: 'May delete tags of the account.',
      send_email: 'Owns a mailbox, or may edit one.',
      use_api: 'API access of the account is not off.',
    },
  },
  UserNotificationSetting: {
    is: 'Where the notifications of one event are sent, besides the list.',
    fields: { push: 'To the user’s devices.', email: 'To the user’s email address.' },
  },
  TermsAssent: {
    is: 'That a user accepted a version of a document.',
    fields: {
      user_id: 'Who accepted it.',
      document: 'The slug of the document.',
      version: 'The version that was accepted.',
      method: 'How it was accepted.',
      ip_address: 'Where the request came from.',
      user_agent: 'What the request said of its program; null when it said nothing.',
      accepted_at: 'When it was first accepted.',
    },
  },
  TermsDocument: {
    is: 'A document that the operator of the service names.',
    fields: {
      slug: 'Its name, which stays through all versions.',
      version: 'The current version.',
      title: 'What it is called.',
      url: 'Where it can be read.',
      required: 'Nothing works without accepting it.',
      accepted: 'The user has accepted the current version.',
    },
  },
  TermsAssentDraft: {
    is: 'What a user accepts.',
    fields: {
      documents: 'The documents, in their current versions.',
      method: '`clickwrap`: the user agreed to what was shown.',
    },
  },
  AcceptedDocument: {
    is: 'A version of a document.',
    fields: { slug: 'Its name.', version: 'The version that was shown.' },
  },
  TermsAssentListResponse: {
    is: 'What was accepted.',
    fields: { terms_assents: 'An acceptance for each document that was sent.' },
  },
  ListTermsAssentsResponse: {
    is: 'The documents, and what the user accepted.',
    fields: { documents: 'The current ones.', terms_assents: 'Every version accepted, oldest first.' },
  },
  Account: {
    is: 'An account: a team, its settings and its billing.',
    fields: {
      name: 'What the team is called.',
      owner_user_id: 'The owner; of several, the oldest.',
      api_access:
        'What API keys may do: everything that their tier allows, read only, or nothing. Sessions go on.',
      features: 'What is on for the whole account.',
      default_currency: 'Of new deals that have no currency, in pipelines without one; null for none.',
      time_zone: 'IANA time zone of new users.',
      billing: 'What is paid, and by what.',
    },
  },
  AccountChanges: { is: 'Changes of an account: fields that are not sent stay.' },
  AccountFeatures: {
    is: 'What is on for the whole account.',
    fields: { ask_assistant: 'Mentions of the assistant are answered, unless a user opts out.' },
  },
  AccountFeatureChanges: {
    is: 'Features to turn on or off; those that are not sent stay.',
    fields: { ask_assistant: 'Whether mentions of the assistant are answered.' },
  },
  Billing: {
    is: 'What an account pays for, and by what.',
    fields: {
      provider: '`none`: nobody pays, and the other fields are null.',
      status: 'Of the subscription, in the words of the provider.',
      plan: 'What is subscribed to.',
      seats: 'The number of users that are paid for.',
      trial_ends_at: 'When the trial ends; null without one.',
      current_period_ends_at: 'Until when it is paid.',
      card: 'What pays; null without a card.',
    },
  },
  CardSetup: {
    is: 'What a browser needs to hand a card to the payment provider.',
    fields: {
      client_secret: 'Lets a browser add one card to the account. Keep it out of logs and addresses.',
      publishable_key: 'Of the service at the provider: for its library in the browser.',
    },
  },
  CardSetupResponse: { is: 'The body of a response.', fields: { setup: 'For the library of the provider.' } },
  CreditCardChanges: {
    is: 'The card that is charged from now on.',
    fields: { payment_method_id: 'What the provider gave the browser for the card.' },
  },
  UpdateCreditCardRequest: {
    is: 'The body of a request.',
    fields: { credit_card: 'The card that is charged from now on.' },
  },
  CreateBillingEventRequest: {
    is: 'An event, as the payment provider signs it.',
    fields: {
      id: 'Names the event at the provider.',
      type: 'What happened.',
      data: 'What it happened to.',
    },
  },
  BillingEventData: { is: 'What an event happened to, in the words of the provider.' },
  BillingCard: {
    is: 'What is known of a card.',
    fields: {
      brand: 'For example visa.',
      last4: 'The last four digits.',
      exp_month: 'The month of its expiry, from 1.',
      exp_year: 'The year of its expiry.',
    },
  },
  AuditEvent: {
    is: 'What somebody did with rights.',
    fields: {
      action: 'What was done.',
      user_id: 'Who did it; null for the operator and for the service itself.',
      credential_id: 'The key or session that it was done with; null without one.',
      subject: 'What it was done to.',
      changes: 'The fields that changed; empty for other actions.',
      ip_address: 'Where the request came from; null without a request.',
      user_agent: 'What the request said of its program; null when it said nothing.',
    },
  },
  AuditSubject: {
    is: 'What something was done to, as it was called then.',
    fields: {
      type: 'What it is.',
      id: 'Its id; of terms the slug of the document.',
      name: 'Its name then; of terms the version. Null when it has none.',
    },
  },
  AuditChange: {
    is: 'A field that changed.',
    fields: {
      field: 'Its name.',
      before: 'Its value before; null for none.',
      after: 'Its value afterwards; null for none.',
    },
  },
  DeviceToken: {
    is: 'A device that receives push messages of its user.',
    fields: {
      user_id: 'Whose push messages it receives.',
      platform: 'Whose push service it uses: Apple’s, Google’s, or that of a browser.',
      name: 'What the user calls it; null without a name.',
      app_version: 'The version of the app on it; null when unknown.',
      token_hint: 'The end of the token, of `web` that of the endpoint.',
      last_used_at: 'When the push service last accepted a message, to the hour; null for never.',
    },
  },
  DeviceTokenDraft: { is: 'A device to register.' },
  Group: {
    is: 'A team of users that records can be shared with.',
    fields: {
      user_id: 'Who created it; null when that user is gone.',
      name: 'Unique in the account: names are compared without case.',
      description: 'What the group is for; null when nothing is said.',
      color: 'Display color of the form #RRGGBB; null without one.',
      user_ids: 'The ids of its members, 90 at most.',
      users: 'Its members, by name.',
    },
  },
  GroupDraft: { is: 'A group to create. Its creator is a member only when `user_ids` contains the creator.' },
  GroupChanges: { is: 'Changes of a group: fields that are not sent stay, `null` clears.' },
  GroupUser: {
    is: 'A member of a group.',
    fields: {
      name: 'The full name, as colleagues see it.',
      email_address: 'Where the member receives mail of the service.',
      avatar_url: 'A picture of the member; null without one.',
    },
  },
  Membership: {
    is: 'That a user is in a group.',
    fields: {
      group_id: 'The group joined.',
      user_id: 'The member.',
      created_at: 'When the user joined.',
    },
  },
  CreateMembershipRequest: { is: 'Who joins the group.', fields: { user_id: 'The user to add.' } },
  ApiKey: {
    is: 'A key that acts as its user, without its secret.',
    fields: {
      name: 'What the key is for, as its user recognizes it.',
      tier: '`read` calls operations with access `read` only, `read_write` those with access `write` as well.',
      prefix: 'The beginning of the secret, by which people recognize the key.',
      user_id: 'The user as whom the key acts.',
      last_used_at: 'When a request was last made with it; null before the first.',
      expires_at: 'From when on the key is refused; null when it never expires.',
    },
  },
  ApiKeyDraft: {
    is: 'An API key to create.',
    fields: {
      expires_at: 'A date-time, or a date in the user’s time zone. Without it the key never expires.',
    },
  },
  IssuedApiKey: { is: 'A new key with its secret, which no other response contains.' },
  ApiKeyListResponse: {
    is: 'API keys, returned whole.',
    fields: { api_keys: 'Oldest first, without their secrets.' },
  },
  DeviceTokenListResponse: {
    is: 'Devices, returned whole.',
    fields: { device_tokens: 'Oldest first, without their tokens.' },
  },
  Session: {
    is: 'What came of signing in once, on one device: it lasts until it is ended, or not refreshed in time.',
    fields: {
      user_id: 'Whose session it is.',
      account_id: 'The account of the user.',
      access_token: 'Sent as `Authorization: Bearer`, like an API key; null except when the session begins.',
      token_type: 'How the access token is sent.',
      expires_in: 'Seconds that an access token works.',
      refresh_token:
        'Exchanged for the next access token; null except when the session begins with `token_delivery: body`.',
      user_agent: 'The program that signed in or refreshed last, as it names itself; null when it does not.',
      ip_address: 'The address from which it did; null when it is unknown.',
      last_used_at: 'When a request was last made with it; null before the first.',
      expires_at: 'When the session is over unless it is refreshed; null when it never is.',
      current: 'It is the session of this request.',
      updated_at: 'When it was last refreshed; null before the first time.',
    },
  },
  AccountDraft: {
    is: 'An account to open, with what proves whose email address its owner has: a code, or a provider.',
    fields: {
      name: 'What the team is called.',
      email_address: 'Of the owner, who signs in with it: the address that the code was mailed to.',
      one_time_code: 'The code, which works once and for 10 minutes.',
      provider: 'Who vouches for the address, in place of a code: `google`, `microsoft` or `oidc`.',
      authorization_code: 'The `code` that the provider sent back.',
      state: 'The `state` that it sent back, of `POST /sessions/authorizations`.',
      iss: 'The `iss` that it sent back, if it did (RFC 9207).',
      time_zone: 'Of the account and its owner; without it `Etc/UTC`.',
      signup_token: 'Of the invitation of this address, where signing up needs one.',
      documents: 'The documents that the owner accepts, in their current versions.',
      acceptance_method: 'How the owner accepts them: `clickwrap`.',
      token_delivery:
        'Where the refresh token goes: into the cookie `refresh_token` alone, or into the body as well, for clients without cookies.',
    },
  },
  Initialization: {
    is: 'How far the first mail of the user has come.',
    fields: {
      status: '`pending` before any mail, `importing` while the first imports run, then `complete`.',
      mailbox_connected: 'Mail comes, or came, into a mailbox that the user owns.',
      threads_imported: 'Threads in these mailboxes, counted up to 5,000 in each.',
      contacts_created:
        'Contacts that their mail made, among the first 10,000 addresses that the account met.',
      percent: 'Of the messages of imports that run; 100 when they are complete.',
    },
  },
  CreateSessionRequestSession: {
    is: 'A way to sign in: an email address with a code, or a provider.',
    fields: {
      email_address: 'The address that the code was mailed to.',
      one_time_code: 'The code, which works once and for 10 minutes.',
      provider: 'Who vouches for the user, in place of a code: `google`, `microsoft` or `oidc`.',
      authorization_code: 'The `code` that the provider sent back.',
      state: 'The `state` that it sent back, of `POST /sessions/authorizations`.',
      iss: 'The `iss` that it sent back, if it did (RFC 9207).',
      password: 'Not accepted.',
      account_id:
        'The account whose invitation is accepted; the oldest one without it. Users of another account are 403.',
      token_delivery:
        'Where the refresh token goes: into the cookie `refresh_token` alone, or into the body as well, for clients without cookies.',
    },
  },
  Authorization: {
    is: 'What was begun at a provider: a sign-in, or the connection of a mailbox.',
    fields: {
      url: 'Where the browser goes: the page of the provider.',
      state: 'Comes back with the code, and works once. Compare it with the one that comes back.',
      expires_at: 'Until when the code may be brought back.',
    },
  },
  SessionListResponse: {
    is: 'Open sessions, returned whole.',
    fields: { sessions: 'Oldest first, without their tokens.' },
  },
  CreateAccessTokenRequest: {
    is: 'A refresh token; without it the cookie is read.',
    fields: { refresh_token: 'As it was received last. It works once.' },
  },
  CreateAccessTokenResponse: {
    is: 'A new access token, and the next refresh token.',
    fields: {
      access_token: 'Sent as `Authorization: Bearer`, like an API key.',
      token_type: 'How it is sent.',
      expires_in: 'Seconds that it works.',
      refresh_token: 'Only when the request sent one in its body; the cookie has it in any case.',
    },
  },
  WaitlisteeDraft: {
    is: 'Someone who would like to be invited.',
    fields: {
      email_address: 'Where an invitation is sent.',
      name: 'Who it is.',
      company_name: 'Where the person works.',
      note: 'Anything else, for who invites.',
    },
  },
  Share: {
    is: 'Access that one user or one group has to a record.',
    fields: {
      record_type: 'The type of the shared record, in the singular.',
      record_id: 'The shared record.',
      user_id: 'The user it is shared with; null when it is shared with a group.',
      group_id: 'The group it is shared with; null when it is shared with a user.',
      access: 'Whether they may only see the record or also change it.',
      source:
        'How it came about. `mailbox` and `space` are inherited from another record, and can only be ended there.',
      shared_by_user_id: 'Who shared it; null when the service did.',
    },
  },
  ShareDraft: {
    is: 'Shares a record with exactly one user or group.',
    fields: {
      user_id: 'The user to share with, instead of a group.',
      group_id: 'The group to share with, instead of a user.',
    },
  },
  ShareChanges: { is: 'What a share allows from now on.' },
  ShareRequest: {
    is: 'That a user asks for access to a thread or an event.',
    fields: {
      user_id: 'The same as `requested_by_user_id`.',
      record_type: 'Whether it is about a thread or an event.',
      record_id: 'The thread or the event.',
      record:
        'The record as the reader sees it; null for who asks until the request is approved, and for everybody who does not see it.',
      requested_by_user_id: 'Who asks.',
      approver_user_ids: 'Who may answer: the owners of its mailboxes that tell of it.',
      message: 'What who asks says to them; null without a message.',
      status: 'Whether it waits for an answer, or how it ended.',
      answered_by_user_id: 'Who approved or denied it.',
      answered_at: 'When it was approved or denied.',
      share_id: 'The share that the approval gave, which may have ended since.',
    },
  },
  ShareRequestRecord: {
    is: 'The thread or the event that a request is about.',
    fields: {
      subject: 'Of a thread; null while the reader’s view of it is not there yet.',
      name: 'Of an event; null without a name.',
    },
  },
  ShareRequestListResponse: {
    is: 'Requests for access, 100 at most.',
    fields: { share_requests: 'Pending ones first, then the newest.' },
  },
  ShareRequestDraft: {
    is: 'What to ask for.',
    fields: {
      record_type: 'Whether it is a thread or an event.',
      record_id: 'A thread or an event that the key’s user does not see.',
      message: 'What to say to those who are asked; null for nothing.',
    },
  },
  ShareListResponse: {
    is: 'The shares of a record, returned whole.',
    fields: { shares: 'The record’s own, oldest first; then those that it inherits.' },
  },
};
