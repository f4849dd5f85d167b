import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Dashboard, GraphWidget, type IMetric, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { gatewayMetrics, lambdaMetrics, tableMetrics } from './metrics.ts';
import type { Names } from './names.ts';
import type { QueuePair } from './queues.ts';

/** Two dashboards: one for requests, functions and the table, one for the queues. */

function graph(title: string, left: IMetric[], right: IMetric[] = []): IWidget {
  return new GraphWidget({ title, left, right, width: 12, height: 6 });
}

export function addOverview(scope: Construct, names: Names, api: SpecRestApi): void {
  const { requests, client_errors, server_errors, latency } = gatewayMetrics(api);
  const { errors, throttles, concurrency } = lambdaMetrics;
  const { throttled, failed, read_units, write_units } = tableMetrics(names.table);
  new Dashboard(scope, 'Dashboard', {
    dashboardName: names.dashboard('overview'),
    widgets: [
      [
        graph('Requests and refusals', [requests], [client_errors, server_errors]),
        graph('Latency, ms', [latency(50), latency(95), latency(99)]),
      ],
      [
        graph('Functions: concurrent executions', [concurrency], [throttles, errors]),
        graph('Table: units and refusals', [read_units, write_units], [throttled, failed]),
      ],
    ],
  });
}

export function addJobsDashboard(scope: Construct, names: Names, pairs: QueuePair[]): void {
  new Dashboard(scope, 'Dashboard', {
    dashboardName: names.dashboard('jobs'),
    widgets: [
      [
        graph(
          'Queues: messages waiting',
          pairs.map(({ queue }) => queue.metricApproximateNumberOfMessagesVisible()),
          pairs.map(({ queue }) => queue.metricApproximateAgeOfOldestMessage()),
        ),
        graph(
          'Queues: dead letters',
          pairs.map(({ dead_letters }) => dead_letters.metricApproximateNumberOfMessagesVisible()),
        ),
      ],
    ],
  });
}
