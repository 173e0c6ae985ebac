import { tidy } from "./cells.ts";

/** A new epic's file: nothing is decided in it yet. */
export function newEpic(id: string, title: string): string {
  return `---
id: ${id}
title: ${JSON.stringify(tidy(title).replaceAll("\n", " "))}
status: inbox
epoch: 1
seq: 0
---

Describe the goal, and how to check that it is reached.

## Work Items

| # | ID | Title | Status | Worker | Review surface | Notes | Depends | Attempts | Last activity | Pending |
|---|----|-------|--------|--------|----------------|-------|---------|----------|---------------|---------|

## Pattern Memory

| Tick (ISO) | Decision | Class | Notes |
|---|---|---|---|

## Pending Decisions

| ID | Question | Options | Default | Raised | Answer |
|---|---|---|---|---|---|

## Supervisor Log
`;
}
