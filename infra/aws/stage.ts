import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type AssistantSettings, readAssistantSettings } from '#shared/uses/assistant.ts';

/** What differs between deployments of this service. */
interface StageSettings {
  log_retention: RetentionDays;
  /** Keep the data when its stack is deleted, and refuse to delete table and stack. */
  keep_data: boolean;
  /** Requests a second over all callers, and the size of a burst. */
  throttle: { rate: number; burst: number };
}

/** An unknown stage is an error: a misspelt `prod` must not become an unprotected copy. Add a line for a new one. */
const stages: Record<string, StageSettings> = {
  prod: {
    log_retention: RetentionDays.THREE_MONTHS,
    keep_data: true,
    throttle: { rate: 1_000, burst: 2_000 },
  },
  staging: {
    log_retention: RetentionDays.ONE_MONTH,
    keep_data: true,
    throttle: { rate: 200, burst: 400 },
  },
  dev: {
    log_retention: RetentionDays.ONE_WEEK,
    keep_data: false,
    throttle: { rate: 50, burst: 100 },
  },
};

export interface Stage extends StageSettings {
  name: string;
  /** Origins that browsers may call and upload from; `*` for all; none by default. */
  cors_origins: string[];
  alarms_email: string | undefined;
  /** A WAF web ACL of this account in front of the API. */
  web_acl_arn: string | undefined;
  /** A version of the cursor secret. Without one CloudFormation reads the current version when a function changes. */
  cursor_keys_version: string | undefined;
  assistant: AssistantSettings;
  /** `cdk -c name=value`, for the settings of kinds of `uses`. */
  setting: (name: string) => string | undefined;
  /** Adds empty endpoint variables to functions: `sam local --env-vars` sets only variables of the template. */
  local_endpoints: boolean;
}

/**
 * Reads `cdk -c name=value`: stage, corsOrigins (comma separated), alarmsEmail, webAclArn, cursorKeysVersion,
 * localEndpoints (`true` for `sam local`), and those of the assistant.
 */
export function readStage(context: (name: string) => unknown): Stage {
  const text = (name: string) => {
    const value = context(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const name = text('stage') ?? 'dev';
  const settings = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (!settings)
    throw new Error(
      `Unknown stage "${name}": use -c stage=${Object.keys(stages).join('|')}, or add it to infra/aws/stage.ts.`,
    );
  const origins = (text('corsOrigins') ?? '').split(',').map((origin) => origin.trim());
  return {
    ...settings,
    name,
    cors_origins: origins.filter((origin) => origin !== ''),
    alarms_email: text('alarmsEmail'),
    web_acl_arn: text('webAclArn'),
    cursor_keys_version: text('cursorKeysVersion'),
    assistant: readAssistantSettings(text),
    setting: text,
    local_endpoints: text('localEndpoints') === 'true',
  };
}
