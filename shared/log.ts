import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/**
 * Structured logs and embedded metrics (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format.html).
 * A log never holds a token, a body or an email address: only ids, codes, counts and places in the code.
 */
const EMAIL_ADDRESS = /[^\s@<>"'/\\:()]{1,64}@[^\s@<>"'/\\:()]{1,255}\.[a-z]{2,}/gi;
const SECRET = /\bwsk_[\w-]+/g;

export function redact(text: string): string {
  return text.replace(SECRET, '[secret]').replace(EMAIL_ADDRESS, '[address]');
}

/** An error as it may be logged. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: 'NonError', message: redact(String(error)) };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  // The message of a JSON syntax error quotes what it could not read.
  if (error instanceof SyntaxError) return { name: error.name, ...cause };
  return {
    name: redact(error.name),
    message: redact(error.message),
    stack: redact(error.stack ?? ''),
    ...cause,
  };
}

let logger: Logger | undefined;

export function getLogger(): Logger {
  logger ??= new Logger({ serviceName: 'workspace-api' });
  return logger;
}

type Units = Record<string, (typeof MetricUnit)[keyof typeof MetricUnit]>;
type WriteLine<Of extends Units> = (members: object, values: Record<keyof Of, number>) => void;

class LineMetrics extends Metrics {
  /**
   * Writes lines with these metrics, and with members beside them, because a custom metric for each operation or account
   * costs money. What the lines have in common is serialized once. Undefined where metrics are off.
   */
  lines<Of extends Units>(units: Of): WriteLine<Of> | undefined {
    if (this.isDisabled()) return undefined;
    for (const [name, unit] of Object.entries(units)) this.addMetric(name, unit, 0);
    const { _aws, ...common } = this.serializeMetrics();
    this.clearMetrics();
    return (members, values) => {
      const line = { ...members, _aws: { ..._aws, Timestamp: Date.now() }, ...common, ...values };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    };
  }
}

function metricLines(stage: string) {
  const metrics = new LineMetrics({
    namespace: 'WorkspaceApi',
    serviceName: 'workspace-api',
    defaultDimensions: { stage },
  });
  return {
    request: metrics.lines({
      Latency: MetricUnit.Milliseconds,
      ClientError: MetricUnit.Count,
      ServerError: MetricUnit.Count,
    }),
    usage: metrics.lines({
      AssistantLatency: MetricUnit.Milliseconds,
      AssistantInputTokens: MetricUnit.Count,
      AssistantOutputTokens: MetricUnit.Count,
    }),
  };
}

let lines: ReturnType<typeof metricLines> | undefined;

function linesOf(stage: string) {
  lines ??= metricLines(stage);
  return lines;
}

export interface RequestOutcome {
  operation: string;
  request_id: string;
  status: number;
  duration_ms: number;
  error_code: string | undefined;
  account_id: string | undefined;
  user_id: string | undefined;
  credential_id: string | undefined;
}

/**
 * Writes one line for a request: its metrics (EMF), with caller and outcome as metadata. Where metrics are off, as in the
 * local run, the line is a log line.
 */
export function recordRequest(stage: string, outcome: RequestOutcome): void {
  const write = linesOf(stage).request;
  if (!write) {
    getLogger().info('request', { ...outcome });
    return;
  }
  const { status, duration_ms } = outcome;
  write(
    { level: 'INFO', message: 'request', ...outcome },
    {
      Latency: duration_ms,
      ClientError: status >= 400 && status < 500 ? 1 : 0,
      ServerError: status >= 500 ? 1 : 0,
    },
  );
}

export interface AssistantUsage {
  stage: string;
  account_id: string;
  purpose: string;
  usage: { input_tokens: number; output_tokens: number };
  duration_ms: number;
}

/** One EMF line for work of the assistant. */
export function recordUsage({ stage, account_id, purpose, usage, duration_ms }: AssistantUsage): void {
  linesOf(stage).usage?.(
    { account_id, purpose },
    {
      AssistantLatency: duration_ms,
      AssistantInputTokens: usage.input_tokens,
      AssistantOutputTokens: usage.output_tokens,
    },
  );
}
