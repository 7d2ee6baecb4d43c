import { monitorEventLoopDelay } from "node:perf_hooks";
/* oxlint-disable no-restricted-globals -- it measures this process. */

export const residentBytes = () => process.memoryUsage.rss();

export const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

/** Measures the event loop delay: mean and maximum in seconds since the previous call. */
export const eventLoopLag = () => {
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  return {
    read: () => {
      // A 20 ms timer that fires on time is recorded as 20 ms.
      const seconds = (nanos: number) => Math.max(0, (nanos || 0) / 1e9 - 0.02);
      const lag = { mean: seconds(delays.mean), max: seconds(delays.max) };
      delays.reset();
      return lag;
    },
    stop: () => delays.disable(),
  };
};
