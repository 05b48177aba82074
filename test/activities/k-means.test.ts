import { describe, expect, it } from 'vitest';
import { kMeans } from '../../activities/jobs/k-means.js';

const never = new AbortController().signal;

/** Points around three places far from each other. */
const vectors = Array.from({ length: 60 }, (_, i) => [
  (i % 3) * 10 + Math.sin(i),
  (i % 3) * -5 + Math.cos(i),
]);

describe('kMeans', () => {
  it('finds clusters that lie apart, and the same ones each time', async () => {
    const labels = await kMeans(vectors, 3, 1, never);
    expect(labels).toHaveLength(60);
    for (const [i, label] of labels.entries()) expect(label).toBe(labels[i % 3]);
    expect(new Set(labels).size).toBe(3);
    expect(await kMeans(vectors, 3, 1, never)).toEqual(labels);
    expect(await kMeans(vectors, 3, 0, never)).toEqual(await kMeans(vectors, 3, 0, never));
  });

  it('takes vectors that are all the same', async () => {
    const same = Array.from({ length: 5 }, () => [1, 2]);
    expect(await kMeans(same, 2, 0, never)).toHaveLength(5);
  });

  it('tells what the library refuses', async () => {
    await expect(kMeans([[1], [2]], 3, 0, never)).rejects.toThrow(/K should be/);
  });

  it('stops when it is told to', async () => {
    const many = Array.from({ length: 4000 }, (_, i) =>
      Array.from({ length: 200 }, (_, j) => Math.sin(i * j + i)),
    );
    const controller = new AbortController();
    const running = kMeans(many, 50, 0, controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(running).rejects.toThrow('enough');
  });
});
