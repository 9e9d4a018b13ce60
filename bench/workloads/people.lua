-- SPDX-License-Identifier: MIT
-- people.lua -- generates people with the usual fields of such test sets; all values are made up here.

local FIRST = {
  female = { "Ada", "Berta", "Chiara", "Dilek", "Elin", "Fatou", "Greta", "Hanako", "Ines", "Jolanta" },
  male = { "Anton", "Boris", "Cem", "Diego", "Emeka", "Finn", "Goran", "Hugo", "Ivo", "Jens" },
}
local LAST = { "Adler", "Brandt", "Castro", "Dahl", "Eriksen", "Fischer", "Gruber", "Horvat", "Ito", "Jansen",
               "Keller", "Lindqvist", "Moreau", "Novak", "Okafor", "Petrov", "Quist", "Rossi", "Santos", "Tanaka" }
local EYES, FRUIT = { "blue", "brown", "green" }, { "apple", "banana", "cherry", "fig", "pear" }
local STREETS = { "Harbour Street", "Mill Lane", "Station Road", "Orchard Row", "Bridge Place", "Chapel Court" }
local TOWNS = { "Aldwick", "Brenford", "Cold Spring", "Dunmore", "Eastvale", "Fernhill", "Graywater" }
local STATES = { "Alaska", "Delaware", "Iowa", "Maine", "New Mexico", "Oregon", "South Dakota", "Vermont" }
local WORDS = {}
for word in ([[river stone early window bread winter garden letter small harbour never music paper cloud
  market often silver train morning field quiet lantern orange bottle summer glass narrow kitchen
  season wooden island forest coffee]]):gmatch("%a+") do WORDS[#WORDS + 1] = word end

local function hex(random, n)
  local digits = {}
  for i = 1, n do digits[i] = ("%x"):format(random.int(0, 15)) end
  return table.concat(digits)
end

local function money(random)
  return ("$%d,%03d.%02d"):format(random.int(1, 3), random.int(0, 999), random.int(0, 99))
end

local function sentence(random)
  local words = {}
  for i = 1, random.int(6, 14) do words[i] = random.pick(WORDS) end
  return table.concat(words, " "):gsub("^%l", string.upper) .. "."
end

local function about(random)
  local text = {}
  for i = 1, random.int(4, 8) do text[i] = sentence(random) end
  return table.concat(text, " ") .. "\r\n"
end

local function date(random)
  return ("%d-%02d-%02dT%02d:%02d:%02d -01:00"):format(random.int(2014, 2025), random.int(1, 12),
    random.int(1, 28), random.int(0, 23), random.int(0, 59), random.int(0, 59))
end

local function full_name(random, gender)
  gender = gender or random.chance(2) and "female" or "male"
  return random.pick(FIRST[gender]) .. " " .. random.pick(LAST)
end

local function person(random, index)
  local gender = random.chance(2) and "female" or "male"
  local name, company = full_name(random, gender), random.word(5, 9)
  local tags, friends = {}, {}
  for i = 1, 7 do tags[i] = random.pick(WORDS) end
  for i = 1, 3 do friends[i] = { id = i - 1, name = full_name(random) } end
  return {
    _id = hex(random, 24), index = index,
    guid = table.concat({ hex(random, 8), hex(random, 4), hex(random, 4), hex(random, 4), hex(random, 12) }, "-"),
    isActive = random.chance(2), balance = money(random), picture = "http://pictures.example/32x32",
    age = random.int(20, 40), eyeColor = random.pick(EYES), name = name, gender = gender,
    company = company:upper(), email = name:lower():gsub(" ", "") .. "@" .. company .. ".example",
    phone = ("+1 (%d) %d-%04d"):format(random.int(800, 999), random.int(400, 599), random.int(2000, 3999)),
    address = ("%d %s, %s, %s, %d"):format(random.int(100, 999), random.pick(STREETS), random.pick(TOWNS),
      random.pick(STATES), random.int(100, 9999)),
    about = about(random), registered = date(random),
    latitude = random.int(-90000000, 90000000) / 1000000,
    longitude = random.int(-180000000, 180000000) / 1000000,
    tags = tags, friends = friends,
    greeting = ("Hello, %s! You have %d unread messages."):format(name, random.int(1, 10)),
    favoriteFruit = random.pick(FRUIT),
  }
end

return function(random, count)
  local list = {}
  for i = 1, count do list[i] = person(random, i - 1) end
  return list
end
