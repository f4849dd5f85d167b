import { existsSync, readFileSync } from 'node:fs';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { readFlag, readSignUp } from '#shared/config.ts';
import { nearest } from '#shared/nearest.ts';
import { readTerms, type TermsDocument } from '#shared/terms.ts';
import { readAppSetting } from '#shared/uses/app.ts';
import { type AssistantSettings, readAssistantSettings } from '#shared/uses/assistant.ts';
import { readBilling } from '#shared/uses/billing.ts';
import { type MailSettings, readAddressSettings, readMailSettings } from '#shared/uses/mail.ts';
import { readMailProviderSettings } from '#shared/uses/mail-providers.ts';
import { readOpenIdSettings } from '#shared/uses/openid.ts';
import { Misuse } from '../cli/options.ts';

/** What differs between deployments of this service. */
interface StageSettings {
  log_retention: RetentionDays;
  /** Keep data and access logs when their stack is deleted, and refuse to delete the table and the stacks. */
  keep_data: boolean;
  /** Watch what all stages of the account and region share. One stage does, or each alarm would come several times. */
  watch_account: boolean;
  /** Requests a second over all callers, and the size of a burst. */
  throttle: { rate: number; burst: number };
}

/** An unknown stage is an error: a misspelt `prod` must not become an unprotected copy. Add a line for a new one. */
const stages = {
  prod: {
    log_retention: RetentionDays.THREE_MONTHS,
    keep_data: true,
    watch_account: true,
    throttle: { rate: 1_000, burst: 2_000 },
  },
  staging: {
    log_retention: RetentionDays.ONE_MONTH,
    keep_data: true,
    watch_account: false,
    throttle: { rate: 200, burst: 400 },
  },
  dev: {
    log_retention: RetentionDays.ONE_WEEK,
    keep_data: false,
    watch_account: false,
    throttle: { rate: 50, burst: 100 },
  },
} satisfies Record<string, StageSettings>;

/**
 * A copy for a branch or a person, to be thrown away. The longest name of a bucket limits it: `workspace-api-`, the
 * stage, account, region and `-logs` in 63 characters
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html).
 */
const PREVIEW = /^preview-[a-z0-9](?:[a-z0-9-]{0,6}[a-z0-9])?$/;

/** Those of dev, with short logs. */
const preview: StageSettings = { ...stages.dev, log_retention: RetentionDays.THREE_DAYS };

/** Throws Misuse for a name that is no stage. */
export function settingsOfStage(name: string): StageSettings {
  if (PREVIEW.test(name)) return preview;
  if (name.startsWith('preview-'))
    throw new Misuse(
      `Unknown stage "${name}": the name after preview- has one to eight lower-case letters, digits and hyphens, with none at its ends.`,
    );
  const known = Object.keys(stages);
  if (known.includes(name)) return stages[name as keyof typeof stages];
  const near = nearest(name, [...known, 'preview-']);
  throw new Misuse(
    `Unknown stage "${name}": ${near ? `did you mean ${near}?` : `use ${known.join(', ')} or preview-<name>.`}`,
  );
}

export interface Stage extends StageSettings {
  name: string;
  /** Origins that browsers may call and upload from; `*` for all; none by default. */
  cors_origins: string[];
  /** Who may create an account. */
  sign_up: ReturnType<typeof readSignUp>;
  /** Addresses of public mail services cannot sign up. */
  work_accounts_only: boolean;
  /** What users accept. */
  terms: TermsDocument[];
  alarms_email: string | undefined;
  /** A WAF web ACL of this account in front of the API. */
  web_acl_arn: string | undefined;
  /** A version of the cursor secret. Without one CloudFormation reads the current version when a function changes. */
  cursor_keys_version: string | undefined;
  /** The page at /app. */
  app_page: boolean;
  assistant: AssistantSettings;
  mail: MailSettings;
  /** Of the app and the API, as variables. */
  addresses: ReturnType<typeof readAddressSettings>;
  /** The variables of providers to sign in with. */
  openid: ReturnType<typeof readOpenIdSettings>;
  /** The variables of providers of mailboxes. */
  mail_providers: ReturnType<typeof readMailProviderSettings>;
  /** The variables of who takes the money. */
  billing: ReturnType<typeof readBilling>;
  /** The secret with the keys of push services. */
  push_secret: string | undefined;
  /** The address of the API; without it, one of API Gateway's. */
  domain: Domain | undefined;
  /** Sets the one role with which API Gateway writes the logs of all APIs of the account and region. */
  set_log_role: boolean;
  /** `cdk -c name=value`, for the settings of kinds of `uses`. */
  setting: (name: string) => string | undefined;
  architecture: 'arm64' | 'x86_64';
  /**
   * Functions reach local servers alone, never AWS. Adds LOCAL_ENDPOINTS and empty endpoint variables: `sam local
   * --env-vars` sets only variables of the template.
   */
  local_endpoints: boolean;
}

interface Domain {
  name: string;
  certificate_arn: string;
  hosted_zone_id: string | undefined;
}

function readDomain(text: (name: string) => string | undefined): Domain | undefined {
  const [name, certificate_arn, hosted_zone_id] = [
    text('domainName'),
    text('certificateArn'),
    text('hostedZoneId'),
  ];
  if (!name && !certificate_arn && !hosted_zone_id) return undefined;
  if (!name || !certificate_arn)
    throw new Misuse('A domain needs both -c domainName=... and -c certificateArn=...');
  if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(name))
    throw new Misuse(`-c domainName is a domain alone, for example api.acme.example, not "${name}".`);
  return { name, certificate_arn, hosted_zone_id };
}

/** One of `values`; the first by default. */
function oneOf<const Value extends string>(
  name: string,
  given: string | undefined,
  values: readonly [Value, ...Value[]],
): Value {
  const value = given === undefined ? values[0] : values.find((each) => each === given);
  if (value === undefined) throw new Misuse(`-c ${name} is ${values.join(' or ')}, not "${given}".`);
  return value;
}

/** What kinds of `uses` refuse is told in one line as well. */
function refusing<Settings>(read: () => Settings): Settings {
  try {
    return read();
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
}

/** The documents of a file. */
function termsIn(file: string | undefined): TermsDocument[] {
  if (file === undefined) return [];
  if (!existsSync(file)) throw new Error(`-c terms: there is no file ${file}.`);
  return readTerms(readFileSync(file, 'utf8'), '-c terms');
}

/** Reads the settings of context.ts; throws Misuse for values that no deployment can have. */
export function readStage(context: (name: string) => unknown): Stage {
  const text = (name: string) => {
    const value = context(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const name = text('stage') ?? 'dev';
  const origins = (text('corsOrigins') ?? '').split(',').map((origin) => origin.trim());
  return {
    ...settingsOfStage(name),
    name,
    cors_origins: origins.filter((origin) => origin !== ''),
    sign_up: refusing(() => readSignUp(text('signUp') ?? 'invitation', '-c signUp')),
    work_accounts_only: refusing(() => readFlag(text('workAccountsOnly') ?? 'false', '-c workAccountsOnly')),
    terms: refusing(() => termsIn(text('terms'))),
    alarms_email: text('alarmsEmail'),
    web_acl_arn: text('webAclArn'),
    cursor_keys_version: text('cursorKeysVersion'),
    app_page: refusing(() => readAppSetting(text)),
    assistant: refusing(() => readAssistantSettings(text)),
    mail: refusing(() => readMailSettings(text)),
    addresses: refusing(() => readAddressSettings(text)),
    openid: refusing(() => readOpenIdSettings(text)),
    mail_providers: refusing(() => readMailProviderSettings(text)),
    billing: refusing(() => readBilling(text)),
    push_secret: text('pushSecret'),
    setting: text,
    domain: readDomain(text),
    set_log_role: oneOf('apiGatewayLogRole', text('apiGatewayLogRole'), ['create', 'keep']) === 'create',
    architecture: oneOf('architecture', text('architecture'), ['arm64', 'x86_64']),
    local_endpoints: oneOf('localEndpoints', text('localEndpoints'), ['false', 'true']) === 'true',
  };
}
