-- SPDX-License-Identifier: MIT
-- generated.lua -- documents as programs have them: people with much text, a game's state with many numbers.

return {
  {
    name = "1000 people", key = "people",
    build = function(random)
      local people = require "people"(random, 1000)
      return { doc = people, at = people[500], key = "index" }
    end,
  },
  {
    name = "game tick", key = "tick",
    build = function(random)
      local tick = require "game"(random, 100)
      return { doc = tick, at = tick, key = "tick" }
    end,
  },
}
